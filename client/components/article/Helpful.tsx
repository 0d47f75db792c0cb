import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../view-context'
import s from './Helpful.module.css'

type State = 'asked' | 'sending' | 'thanks' | 'sorry' | 'failed'

/** Stores an answer; true when the server has it. */
async function store(answer: { page: string; locale: string; helpful: boolean }): Promise<boolean> {
  try {
    const response = await fetch('/api/site/helpful', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(answer),
    })
    const { code } = (await response.json()) as { code: number }
    return response.ok && code === 0
  } catch {
    return false
  }
}

/** "Was this page helpful?" Nothing about the visitor is sent, only page, language and answer. */
export function Helpful() {
  const { t } = useTranslation('docs')
  const { path, locale } = usePage()
  const [state, setState] = useState<State>('asked')
  const answer = (helpful: boolean): void => {
    setState('sending')
    void store({ page: path, locale, helpful }).then((stored) =>
      setState(!stored ? 'failed' : helpful ? 'thanks' : 'sorry'),
    )
  }
  const answered = state === 'thanks' || state === 'sorry'
  return (
    <section
      className={`${s['helpful']} no-print`}
      aria-labelledby="helpful-question"
      data-shell="helpful"
    >
      <p id="helpful-question" className={s['question']}>
        {t('helpful.question')}
      </p>
      {!answered && (
        <div className={s['answers']}>
          <button
            type="button"
            data-action="helpful-yes"
            disabled={state === 'sending'}
            onClick={() => answer(true)}
          >
            {t('helpful.yes')}
          </button>
          <button
            type="button"
            data-action="helpful-no"
            disabled={state === 'sending'}
            onClick={() => answer(false)}
          >
            {t('helpful.no')}
          </button>
        </div>
      )}
      <p role="status" className={s['status']}>
        {answered || state === 'failed' ? t(`helpful.${state}`) : ''}
      </p>
    </section>
  )
}
