import { comparison, faq, features, hero, steps } from '../components/bench/bench-content'
import { Anchor, BenchFrame, Icon } from '../components/bench/BenchFrame'

function Hero() {
  return (
    <section className="hero">
      <h1>{hero.title}</h1>
      <p>{hero.lead}</p>
      <p>
        {hero.actions.map((link) => (
          <Anchor key={link.href} {...link} />
        ))}
      </p>
      <ul>
        {hero.stats.map(([number, text]) => (
          <li key={text}>
            <strong>{number}</strong> <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Features() {
  return (
    <section className="features">
      <h2>Features</h2>
      <div className="grid">
        {features.map(({ title, text, points, href }) => (
          <article key={title}>
            <Icon />
            <h3>{title}</h3>
            <p>{text}</p>
            <ul>
              {points.map((point) => (
                <li key={point}>
                  <span>{point}</span>
                </li>
              ))}
            </ul>
            <Anchor href={href} label="More of this" />
          </article>
        ))}
      </div>
    </section>
  )
}

function Steps() {
  return (
    <section className="steps">
      <h2>How it goes</h2>
      <ol>
        {steps.map(([title, text]) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Comparison() {
  return (
    <section className="comparison">
      <h2>Compared</h2>
      <table>
        <thead>
          <tr>
            <th>What</th>
            {comparison.columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparison.rows.map(([row, ...cells]) => (
            <tr key={row}>
              <th>{row}</th>
              {cells.map((cell, index) => (
                <td key={comparison.columns[index]}>
                  <span className={index > 0 ? 'c' : 'c us'}>{cell}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Faq() {
  return (
    <section className="faq">
      <h2>Questions</h2>
      {faq.map(([question, answer]) => (
        <details key={question}>
          <summary>
            <span>{question}</span>
            <Icon />
          </summary>
          <div>
            <p>{answer}</p>
          </div>
        </details>
      ))}
    </section>
  )
}

/** The home page of the benchmark: about 550 elements without any data of the request. */
export function Page() {
  return (
    <BenchFrame>
      <main>
        <Hero />
        <Features />
        <Steps />
        <Comparison />
        <Faq />
      </main>
    </BenchFrame>
  )
}
