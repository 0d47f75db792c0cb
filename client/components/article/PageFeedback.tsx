import { useState } from 'react'
import { useFocusWhen } from '../use-focus-when'
import { usePage } from '../../view-context'
import { useTexts } from '../../use-texts'
import s from './PageFeedback.module.css'

type State = 'initial' | 'sending' | 'thanks' | 'sorry' | 'failed'

type Feedback = { page: string; locale: string; helpful: boolean }

/** Sends the feedback; resolves to whether the server has stored it. */
async function sendFeedback(feedback: Feedback): Promise<boolean> {
  try {
    const response = await fetch('/api/site/helpful', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(feedback),
    })
    // Any other form of response counts as a failure.
    const { code } = (await response.json()) as { code?: unknown }
    return response.ok && code === 0
  } catch {
    return false
  }
}

/** "Was this page helpful?" Only page, language and answer are sent, nothing about the visitor. */
export function PageFeedback() {
  const t = useTexts('docs')
  const { path, locale } = usePage()
  const [state, setState] = useState<State>('initial')
  const send = (helpful: boolean): void => {
    setState('sending')
    void sendFeedback({ page: path, locale, helpful }).then((stored) =>
      setState(!stored ? 'failed' : helpful ? 'thanks' : 'sorry'),
    )
  }
  const isAnswered = state === 'thanks' || state === 'sorry'
  const hasResult = isAnswered || state === 'failed'
  const statusRef = useFocusWhen<HTMLParagraphElement>(hasResult)
  return (
    <section
      className={`${s['feedback']} no-print`}
      aria-labelledby="helpful-question"
      data-shell="helpful"
    >
      <p id="helpful-question" className={s['question']}>
        {t('helpful.question')}
      </p>
      {!isAnswered && (
        <div className={s['answers']}>
          <button
            type="button"
            data-action="helpful-yes"
            data-track="article-helpful"
            disabled={state === 'sending'}
            onClick={() => send(true)}
          >
            {t('helpful.yes')}
          </button>
          <button
            type="button"
            data-action="helpful-no"
            data-track="article-not-helpful"
            disabled={state === 'sending'}
            onClick={() => send(false)}
          >
            {t('helpful.no')}
          </button>
        </div>
      )}
      <p ref={statusRef} role="status" tabIndex={-1} className={s['status']}>
        {hasResult ? t(`helpful.${state}`) : ''}
      </p>
    </section>
  )
}
