import { useState, type ChangeEvent } from 'react'
import {
  exportTranslations,
  importTranslations,
  listTranslations,
  type ImportAnswer,
  type OpenText,
} from '../../../shared/console/translations'
import { consolePaths } from '../../../shared/console/console-call'
import { allLocales, isLocaleCode, type LocaleCode } from '../../../shared/i18n/locales'
import { callConsole, queryOf } from '../call-console'
import { countText } from '../count-text'
import { Button, ButtonRow, DownloadLink } from '../components/Button'
import { DataTable, type TableColumn } from '../components/DataTable'
import { ConsoleField } from '../components/ConsoleField'
import { Notice } from '../components/Notice'
import { Panel } from '../components/Panel'
import { saveFile } from '../save-file'
import { useConsoleAction, useConsoleCall } from '../use-console-call'
import { useFilters } from '../use-filters'
import { TranslationDetails } from './TranslationDetails'

const targets = allLocales.filter(({ code }) => code !== 'en')

const exportHref = (locale: LocaleCode, path?: string): string =>
  `${consolePaths.api}${exportTranslations.path}${queryOf({ locale, path })}`

type Remark = { path: string; unit: string; reason: string }
const remarkColumns: ReadonlyArray<TableColumn<Remark>> = [
  { id: 'path', title: 'File', value: (row) => row.path },
  { id: 'unit', title: 'Text', value: (row) => row.unit },
  { id: 'reason', title: 'Reason', value: (row) => row.reason },
]
const remarksOf = ({ files }: ImportAnswer, kind: 'problems' | 'warnings'): Remark[] =>
  files.flatMap(({ path, [kind]: list }) => list.map((remark) => ({ path, ...remark })))

/** The result of a check or an import. */
function ImportResult({ answer }: { answer: ImportAnswer }) {
  const changed = answer.files.reduce((sum, file) => sum + file.changed, 0)
  const untranslated = answer.files.reduce((sum, file) => sum + file.untranslated, 0)
  const problems = remarksOf(answer, 'problems')
  const warnings = remarksOf(answer, 'warnings')
  return (
    <>
      <Notice
        text={`${countText(changed, 'changed text')}, ${untranslated} without a translation, ${countText(problems.length, 'problem')}, ${countText(warnings.length, 'warning')}.${
          answer.written.length > 0 ? ` ${countText(answer.written.length, 'file')} written.` : ''
        }`}
      />
      {problems.length > 0 && (
        <DataTable caption="Problems" columns={remarkColumns} rows={problems} />
      )}
      {warnings.length > 0 && (
        <DataTable caption="Warnings" columns={remarkColumns} rows={warnings} />
      )}
    </>
  )
}

/** Checks an XLIFF file, then writes it into the site's files. */
function Import({ onImported }: { onImported: () => void }) {
  const [xliff, setXliff] = useState('')
  const [answer, setAnswer] = useState<ImportAnswer | null>(null)
  const action = useConsoleAction()
  const send = (text: string, write: boolean): void =>
    action.run(async () => {
      const result = await callConsole(importTranslations, { xliff: text, write })
      setAnswer(result)
      if (result.archive !== null)
        saveFile(`${result.locale}.tar`, new Blob([result.archive], { type: 'application/x-tar' }))
      if (write) onImported()
    })
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setAnswer(null)
    void target.files?.[0]?.text().then((text) => {
      setXliff(text)
      send(text, false)
    })
  }
  return (
    <Panel
      title="Import XLIFF"
      about="Checks placeholders, links, code and plural forms. Files with problems are left out. Where the site cannot write its files, the result is saved as an archive for the repository."
    >
      <ConsoleField label="XLIFF 2.0 or 2.1 file">
        {(id) => <input id={id} type="file" accept=".xlf,.xliff" onChange={choose} />}
      </ConsoleField>
      {action.error && <Notice isFailure text={action.error} />}
      {answer && <ImportResult answer={answer} />}
      {answer && (
        <ButtonRow>
          <Button
            kind="main"
            disabled={action.isRunning || answer.written.length > 0}
            onClick={() => send(xliff, true)}
          >
            Import
          </Button>
        </ButtonRow>
      )}
    </Panel>
  )
}

/** The choice of the language, and how much is open in it. */
function Language({
  locale,
  files,
  done,
  onChoose,
}: {
  locale: LocaleCode
  files: readonly OpenText[] | null
  done: number
  onChoose: (locale: LocaleCode) => void
}) {
  const words = files?.reduce((sum, row) => sum + row.words, 0) ?? 0
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>): void => {
    if (isLocaleCode(target.value)) onChoose(target.value)
  }
  return (
    <Panel title="Language">
      <ConsoleField label="Translation into">
        {(id) => (
          <select id={id} value={locale} onChange={choose}>
            {targets.map(({ code, name }) => (
              <option key={code} value={code}>
                {name} ({code})
              </option>
            ))}
          </select>
        )}
      </ConsoleField>
      {files && (
        <p>
          {countText(done, 'file')} done. {countText(files.length, 'file')} with about{' '}
          {countText(words, 'word')} to do.
        </p>
      )}
      {files && files.length > 0 && (
        <ButtonRow>
          <DownloadLink href={exportHref(locale)}>Export all as XLIFF</DownloadLink>
        </ButtonRow>
      )}
    </Panel>
  )
}

type Term = { term: string; also: string }
const termColumns: ReadonlyArray<TableColumn<Term>> = [
  { id: 'term', title: 'Term', value: (row) => row.term },
  { id: 'also', title: 'Also accepted', value: (row) => row.also },
]

/** What is to be translated; `onCompare` opens a file. */
function OpenFiles({
  locale,
  files,
  onCompare,
}: {
  locale: LocaleCode
  files: readonly OpenText[]
  onCompare: (path: string) => void
}) {
  const columns: ReadonlyArray<TableColumn<OpenText>> = [
    { id: 'title', title: 'Page or texts', value: (row) => row.title },
    { id: 'path', title: 'File', value: (row) => row.path },
    { id: 'state', title: 'State', value: (row) => row.state },
    { id: 'words', title: 'Words', value: (row) => row.words },
    { id: 'views', title: 'Views', value: (row) => row.views ?? '' },
    {
      id: 'action',
      title: 'Action',
      value: (row) => row.path,
      cell: (row) => (
        <ButtonRow>
          <Button onClick={() => onCompare(row.path)}>Compare</Button>
          <DownloadLink href={exportHref(locale, row.path)}>Export</DownloadLink>
        </ButtonRow>
      ),
    },
  ]
  return (
    <Panel
      title="To translate"
      about="Words of articles are estimated from their reading time. Views are those of the last 30 days."
    >
      <DataTable
        caption="To translate"
        columns={columns}
        rows={files}
        empty="Everything is translated."
      />
    </Panel>
  )
}

/** What is missing and outdated in a language; export and import. */
export function Translations() {
  const [filters, change] = useFilters(['locale'])
  const locale = targets.find(({ code }) => code === filters.locale)?.code ?? 'zh'
  const [open, setOpen] = useState('')
  const { data, error, reload } = useConsoleCall(listTranslations, { locale })
  return (
    <>
      <Language
        locale={locale}
        files={data?.files ?? null}
        done={data?.done ?? 0}
        onChoose={(chosen) => change({ locale: chosen })}
      />
      {error && <Notice isFailure text={error} />}
      {!data && !error && <Notice text="Loading…" />}
      <Import onImported={reload} />
      {data && (
        <>
          <OpenFiles locale={locale} files={data.files} onCompare={setOpen} />
          <Panel
            title="Glossary"
            about="Words that stay as they are, and forms that may replace them (content/glossary.yaml)."
          >
            <DataTable caption="Glossary" columns={termColumns} rows={data.glossary} />
          </Panel>
        </>
      )}
      {open && (
        <TranslationDetails
          key={open}
          path={open}
          locale={locale}
          exportHref={exportHref(locale, open)}
          onClose={() => setOpen('')}
        />
      )}
    </>
  )
}
