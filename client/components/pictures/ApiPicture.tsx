import s from './ApiPicture.module.css'

/** Drawing of an API call. The code is the same in every language, so it is not translated. */
export function ApiPicture({
  texts,
}: {
  texts: Readonly<Record<'label' | 'request' | 'answer', string>>
}) {
  return (
    <div className={s['panel']} role="img" aria-label={texts.label} data-expose="picture-api">
      <p className={s['caption']}>{texts.request}</p>
      <pre className={s['code']}>
        <span className="tok-keyword">POST</span> /v1/profiles/
        <span className="tok-constant">p-1042</span>/start{'\n'}
        <span className="tok-parameter">Host:</span> 127.0.0.1:35000{'\n'}
        <span className="tok-parameter">Authorization:</span> Bearer{' '}
        <span className="tok-string">•••••</span>
      </pre>
      <p className={s['caption']}>{texts.answer}</p>
      <pre className={s['code']}>
        {'{\n  '}
        <span className="tok-string">&quot;code&quot;</span>:{' '}
        <span className="tok-constant">0</span>,{'\n  '}
        <span className="tok-string">&quot;data&quot;</span>: {'{ '}
        <span className="tok-string">&quot;ws&quot;</span>:{' '}
        <span className="tok-string">&quot;ws://127.0.0.1:41233/…&quot;</span>
        {' }\n}'}
      </pre>
    </div>
  )
}
