import { useTranslation } from 'react-i18next'
import { Icon } from './Icon'
import { ProductWindow } from './ProductWindow'
import s from './FeaturePicture.module.css'

const followers = ['b', 'c', 'd', 'e', 'f']

/** One leading window whose pointer the others repeat. */
function SyncPicture() {
  const { t } = useTranslation('landing')
  return (
    <div className={s['sync']} role="img" aria-label={t('pictures.sync.label')}>
      {['a', ...followers].map((id) => (
        <div key={id} className={id === 'a' ? `${s['mini']} ${s['leader']}` : s['mini']}>
          <span className={s['miniBar']}>{id === 'a' ? t('pictures.sync.leader') : t('pictures.sync.follower')}</span>
          <svg viewBox="0 0 120 60" aria-hidden="true">
            <path d="M12 14h58M12 26h84" stroke="var(--line)" strokeWidth="5" strokeLinecap="round" />
            <path d="M12 40h40v12H12z" fill="var(--tile-2)" />
            <path d="m44 44 12 5-5 2-2 5z" fill="var(--ink)" />
          </svg>
        </div>
      ))}
      <p className={s['delay']}>{t('pictures.sync.delay')}</p>
    </div>
  )
}

/** A flow read from top to bottom; what is repeated is indented. */
function FlowPicture() {
  const { t } = useTranslation('landing')
  const steps = [
    { id: 'open', icon: 'globe', inner: false },
    { id: 'wait', icon: 'info', inner: false },
    { id: 'loop', icon: 'refresh', inner: false },
    { id: 'read', icon: 'search', inner: true },
    { id: 'save', icon: 'download', inner: false },
  ] as const
  return (
    <div className={s['panel']} role="img" aria-label={t('pictures.flow.label')}>
      <p className={s['schedule']}>
        <Icon name="play" size={18} />
        {t('pictures.flow.schedule')}
      </p>
      {steps.map((step, index) => (
        <p key={step.id} className={step.inner ? `${s['step']} ${s['inner']}` : s['step']}>
          <span className={s['number']}>{index + 1}</span>
          <Icon name={step.icon} size={18} />
          {t(`pictures.flow.${step.id}`)}
        </p>
      ))}
    </div>
  )
}

/** Code is the same in every language, so it stands here and not among the texts. */
function ApiPicture() {
  const { t } = useTranslation('landing')
  return (
    <div className={s['panel']} role="img" aria-label={t('pictures.api.label')}>
      <p className={s['caption']}>{t('pictures.api.request')}</p>
      <pre className={s['code']}>
        <span className="tok-keyword">POST</span> /v1/profiles/<span className="tok-constant">p-1042</span>/start{'\n'}
        <span className="tok-parameter">Host:</span> 127.0.0.1:35000{'\n'}
        <span className="tok-parameter">Authorization:</span> Bearer <span className="tok-string">•••••</span>
      </pre>
      <p className={s['caption']}>{t('pictures.api.answer')}</p>
      <pre className={s['code']}>
        {'{\n  '}
        <span className="tok-string">&quot;code&quot;</span>: <span className="tok-constant">0</span>,{'\n  '}
        <span className="tok-string">&quot;data&quot;</span>: {'{ '}
        <span className="tok-string">&quot;ws&quot;</span>: <span className="tok-string">&quot;ws://127.0.0.1:41233/…&quot;</span>
        {' }\n}'}
      </pre>
    </div>
  )
}

/** The picture of a landing page: its own feature where it shows one, else the list of profiles. */
export function FeaturePicture({ id }: { id: string }) {
  const { t } = useTranslation('landing')
  if (id === 'synchronizer') return <SyncPicture />
  if (id === 'rpa') return <FlowPicture />
  if (id === 'local-api') return <ApiPicture />
  return <ProductWindow texts={t('window', { returnObjects: true })} />
}
