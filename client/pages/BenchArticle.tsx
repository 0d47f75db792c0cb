import { BenchFrame } from '../components/bench/BenchFrame'
import { article } from '../components/bench/bench-content'

/** The article page of the benchmark. */
export function Page() {
  return (
    <BenchFrame>
      <main>
        <article>
          <h1>{article.title}</h1>
          <p>
            <span>{article.author}</span> <time dateTime={article.date}>{article.date}</time>
          </p>
          <ul>
            {article.tags.map((tag) => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
          <div dangerouslySetInnerHTML={{ __html: article.html }} />
        </article>
      </main>
    </BenchFrame>
  )
}
