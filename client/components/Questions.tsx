import s from './Questions.module.css'

type QuestionsProps = { items: ReadonlyArray<{ question: string; answer: string }>; headingLevel: 2 | 3; lang?: string | undefined }

/** Questions with their answers open: they can be skimmed, found and printed. */
export function Questions({ items, headingLevel, lang }: QuestionsProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <div className={s['questions']} lang={lang}>
      {items.map((item) => (
        <div key={item.question} className={s['item']}>
          <Heading className={s['question']}>{item.question}</Heading>
          <p className={s['answer']}>{item.answer}</p>
        </div>
      ))}
    </div>
  )
}
