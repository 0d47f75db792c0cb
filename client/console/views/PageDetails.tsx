import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { purgePage, readPageDetails } from '../../../shared/console/pages'
import { Dialog } from '../../components/Dialog'
import { callConsole } from '../call-console'
import { countText } from '../count-text'
import { Button, ButtonRow } from '../components/Button'
import { Notice } from '../components/Notice'
import { formatTime } from '../format-time'
import { readOwnPage, type PageHead } from '../read-own-page'
import { useConsoleAction, useConsoleCall } from '../use-console-call'
import s from './Pages.module.css'

/** The page as a visitor gets it: head, structured data and sharing picture. */
function HeadFacts({ url }: { url: string }) {
  const [head, setHead] = useState<PageHead | null>(null)
  useEffect(() => {
    let isShown = true
    readOwnPage(url).then(
      (read) => isShown && setHead(read),
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [url])
  if (!head) return null
  return (
    <>
      <dt>Title</dt>
      <dd>{head.title}</dd>
      <dt>Robots</dt>
      <dd>{head.robots}</dd>
      <dt>This request</dt>
      <dd>{head.cacheStatus}</dd>
      {head.picture && (
        <>
          <dt>Sharing picture</dt>
          <dd>
            <img className={s['picture']} src={head.picture} alt="" />
          </dd>
        </>
      )}
      <dt>Structured data</dt>
      <dd>
        {head.structuredData.map((json) => (
          <pre key={json} className={s['code']}>
            {json}
          </pre>
        ))}
      </dd>
    </>
  )
}

/** Address, answer, cache state and problems of a page. */
function PageFacts({ url, data }: { url: string; data: z.output<typeof readPageDetails.output> }) {
  return (
    <dl className={s['facts']}>
      <dt>Address</dt>
      <dd>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </dd>
      <dt>Answer</dt>
      <dd>{[...data.rules, data.answer].join(' → ')}</dd>
      <dt>Canonical</dt>
      <dd>{data.canonical ?? 'another page'}</dd>
      <dt>Alternates</dt>
      <dd>{data.alternates.map(({ hreflang }) => hreflang).join(', ') || 'none'}</dd>
      <dt>Cache</dt>
      <dd>
        {data.cached.length === 0 && 'not stored in this process'}
        {data.cached.map((entry) => (
          <div key={entry.key} className={s['entry']}>
            <p>
              {entry.key}: {countText(entry.hits, 'hit')}, stored {formatTime(entry.storedAt)},
              expires {formatTime(entry.expiresAt)}
            </p>
            <ul className={s['tags']} aria-label="Tags">
              {entry.tags.map((tag) => (
                <li key={tag}>{tag}</li>
              ))}
            </ul>
          </div>
        ))}
      </dd>
      <dt>Content check</dt>
      <dd>
        {data.problems.length === 0 && 'no problems'}
        {data.problems.map(({ file, line, reason }) => (
          <p key={`${file}:${line} ${reason}`}>
            {file}:{line} {reason}
          </p>
        ))}
      </dd>
      <HeadFacts url={url} />
    </dl>
  )
}

/** What the site knows about a page, and its purge. */
export function PageDetails({
  title,
  url,
  onClose,
}: {
  title: string
  url: string
  onClose: () => void
}) {
  const { data, error, reload } = useConsoleCall(readPageDetails, { url })
  const [message, setMessage] = useState<string | null>(null)
  const action = useConsoleAction()
  const purge = (): void =>
    action.run(async () => {
      const { purged } = await callConsole(purgePage, { url })
      setMessage(`${countText(purged, 'stored answer')} purged.`)
      reload()
    })
  const failure = error ?? action.error
  return (
    <Dialog title={title} close="Close" onClose={onClose}>
      <ButtonRow>
        <Button kind="main" disabled={action.isRunning} onClick={purge}>
          Purge
        </Button>
        {message && <Notice text={message} />}
      </ButtonRow>
      {failure && <Notice isFailure text={failure} />}
      {data && <PageFacts url={url} data={data} />}
    </Dialog>
  )
}
