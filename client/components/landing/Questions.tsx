import { Accordion } from '../Accordion'

type QuestionsProps = {
  items: ReadonlyArray<{ question: string; answer: string }>
  headingLevel: 2 | 3
  lang?: string | undefined
}

/** Questions and answers. */
export function Questions({ items, headingLevel, lang }: QuestionsProps) {
  return (
    <Accordion
      items={items.map(({ question, answer }) => ({
        title: question,
        content: <p>{answer}</p>,
      }))}
      headingLevel={headingLevel}
      expose="faq-list"
      track="faq-question"
      lang={lang}
    />
  )
}
