import { formatDay } from '../../../shared/i18n/format-day'
import { insertNoBreakSpaces } from '../../../shared/i18n/insert-no-break-spaces'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { LandingSection } from '../../../shared/landing-schemas'
import { Section } from '../Section'
import { PointList } from './PointList'
import { useTexts } from '../../use-texts'
import s from './LandingSections.module.css'
import tables from './LandingTable.module.css'

type SectionOf<K extends LandingSection['kind']> = Extract<LandingSection, { kind: K }>
const tidy = insertNoBreakSpaces

function Figures({ items }: Pick<SectionOf<'figures'>, 'items'>) {
  return (
    <dl className={s['figures']}>
      {items.map((item) => (
        <div key={item.text} className={s['figure']}>
          <dt>{tidy(item.text)}</dt>
          <dd>{tidy(item.value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** On narrow phones each row is a block, and its cells show the name of their column. */
function Table({ title, columns, rows }: SectionOf<'table'>) {
  return (
    <table className={tables['table']} data-expose="section-table">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.join(' ')}>
            {row.map((cell, index) =>
              index === 0 ? (
                <th key={columns[index]} scope="row">
                  {tidy(cell)}
                </th>
              ) : (
                <td key={columns[index]} data-column={columns[index]}>
                  {tidy(cell)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Timeline({ items }: Pick<SectionOf<'timeline'>, 'items'>) {
  return (
    <ol className={s['timeline']}>
      {items.map((item) => (
        <li key={item.time}>
          <span className={s['time']}>{item.time}</span>
          <span>{tidy(item.text)}</span>
        </li>
      ))}
    </ol>
  )
}

function Rules({ items, locale }: { items: SectionOf<'rules'>['items']; locale: LocaleCode }) {
  const t = useTexts('landing')
  return (
    <ul className={s['rules']}>
      {items.map(({ text, source }) => (
        <li key={text}>
          {tidy(text)}
          {source && (
            <small className={tables['source']}>
              <a data-track="section-source" href={source.url} rel="nofollow noopener">
                {source.name}
              </a>
              <time dateTime={source.checked}>
                {t('comparison.checked', { date: tidy(formatDay(source.checked, locale)) })}
              </time>
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}

function SectionContent({ section, locale }: { section: LandingSection; locale: LocaleCode }) {
  switch (section.kind) {
    case 'text':
      return section.paragraphs.map((paragraph) => (
        <p key={paragraph} className={s['paragraph']}>
          {tidy(paragraph)}
        </p>
      ))
    case 'figures':
      return <Figures items={section.items} />
    case 'points':
      return <PointList items={section.items} />
    case 'steps':
      return <PointList items={section.items} ordered />
    case 'table':
      return <Table {...section} />
    case 'timeline':
      return <Timeline items={section.items} />
    case 'rules':
      return <Rules items={section.items} locale={locale} />
    case 'checklist':
    case 'limits':
      return (
        <ul className={s[section.kind]}>
          {section.items.map((item) => (
            <li key={item}>{tidy(item)}</li>
          ))}
        </ul>
      )
  }
}

/** Kinds whose heading is beside their content on wide screens. */
const splitKinds: ReadonlySet<LandingSection['kind']> = new Set(['text', 'rules', 'limits'])
const tintedKinds: ReadonlySet<LandingSection['kind']> = new Set(['steps', 'figures'])

/** The sections of a landing page, in the order of its front matter. */
export function LandingSections({
  sections,
  locale,
}: {
  sections: readonly LandingSection[]
  locale: LocaleCode
}) {
  return sections.map((section, index) => (
    <Section
      key={section.title}
      id={`section-${index + 1}`}
      title={insertNoBreakSpaces(section.title)}
      text={'text' in section && section.text ? tidy(section.text) : undefined}
      split={splitKinds.has(section.kind)}
      tinted={tintedKinds.has(section.kind)}
    >
      <SectionContent section={section} locale={locale} />
    </Section>
  ))
}
