import s from './TextSections.module.css'

/** Sections of a heading and one paragraph each. */
export function TextSections({
  sections,
}: {
  sections: ReadonlyArray<{ title: string; text: string }>
}) {
  return (
    <div className={`wrap ${s['sections']}`}>
      {sections.map((section) => (
        <section key={section.title} className={s['section']}>
          <h2 className={s['title']}>{section.title}</h2>
          <p className={s['text']}>{section.text}</p>
        </section>
      ))}
    </div>
  )
}
