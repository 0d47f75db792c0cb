import { readTranslation, type TranslatedUnit } from '../../../shared/console/translations'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { Dialog } from '../../components/Dialog'
import { ButtonRow, DownloadLink } from '../components/Button'
import { Notice } from '../components/Notice'
import { countText } from '../count-text'
import { useConsoleCall } from '../use-console-call'
import { wordDifferences, type TextPart } from '../word-differences'
import s from './TranslationDetails.module.css'

/** A text whose changed parts are marked as removed or added. */
function MarkedText({ parts, tag: Tag }: { parts: readonly TextPart[]; tag: 'del' | 'ins' }) {
  return parts.map(({ text, isChanged }, index) =>
    isChanged ? <Tag key={index}>{text}</Tag> : <span key={index}>{text}</span>,
  )
}

/** The English text when it was translated and now. Without a translation there is only one. */
function Sources({ unit: { source, target, before } }: { unit: TranslatedUnit }) {
  if (target === null)
    return (
      <div>
        <dt>English</dt>
        <dd>{source}</dd>
      </div>
    )
  const differences = before === null ? null : wordDifferences(before, source)
  return (
    <>
      <div>
        <dt>English when translated</dt>
        <dd>{differences ? <MarkedText parts={differences.before} tag="del" /> : 'not known'}</dd>
      </div>
      <div>
        <dt>English now</dt>
        <dd>{differences ? <MarkedText parts={differences.after} tag="ins" /> : source}</dd>
      </div>
    </>
  )
}

/** Texts, each with its English sources and its translation side by side. */
function Units({ units, locale }: { units: readonly TranslatedUnit[]; locale: LocaleCode }) {
  return units.map((unit) => (
    <section key={unit.name} className={s['unit']}>
      <h3 className={s['name']}>{unit.name}</h3>
      <dl className={s['texts']}>
        <Sources unit={unit} />
        <div>
          <dt>Translation</dt>
          {unit.target === null ? (
            <dd>missing</dd>
          ) : (
            <dd lang={locales[locale].language}>{unit.target}</dd>
          )}
        </div>
      </dl>
    </section>
  ))
}

/** The texts of a file that are to be translated or checked, beside their sources. */
export function TranslationDetails({
  path,
  locale,
  exportHref,
  onClose,
}: {
  path: string
  locale: LocaleCode
  exportHref: string
  onClose: () => void
}) {
  const { data, error } = useConsoleCall(readTranslation, { path })
  const units = data?.units ?? []
  const unchanged = units.filter(({ before, source }) => before === source)
  return (
    <Dialog title={path} close="Close" onClose={onClose}>
      <ButtonRow>
        <DownloadLink href={exportHref}>Export</DownloadLink>
      </ButtonRow>
      {error && <Notice isFailure text={error} />}
      {!data && !error && <Notice text="Loading…" />}
      <Units units={units.filter((unit) => !unchanged.includes(unit))} locale={locale} />
      {unchanged.length > 0 && (
        <details className={s['unit']}>
          <summary>{countText(unchanged.length, 'text')} whose English has not changed</summary>
          <Units units={unchanged} locale={locale} />
        </details>
      )}
    </Dialog>
  )
}
