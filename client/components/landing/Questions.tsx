import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import { Accordion } from '../Accordion'

type QuestionsProps = {
  items: ReadonlyArray<{ question: string; answer: string }>
  headingLevel: 2 | 3
  lang?: string | undefined
}

/** Questions with their answers; the first is open, so that one sees what the others hold. */
export function Questions({ items, headingLevel, lang }: QuestionsProps) {
  return (
    <Accordion
      items={items.map(({ question, answer }) => ({
        title: glueWords(question),
        content: <p>{glueWords(answer)}</p>,
      }))}
      headingLevel={headingLevel}
      lang={lang}
    />
  )
}
