import { oneTap as timing } from '../../shared/constants'
import type { OneTapSettings } from '../../shared/view'
import { userIdKey } from '../analytics/event-context'
import type { ApiClient } from '../platform/api-client'
import type { Clock } from '../platform/clock'
import type { SafeStorage } from '../platform/safe-storage'
import { createPromptCoolDown } from './prompt-cool-down'
import { toRecord } from '../platform/to-record'
import { signIn, type SignInDetails } from './sign-in'

/** The part of Google Identity Services that is used; the tests' identity provider has the same. */
type PromptMoment = {
  isDismissedMoment?: () => boolean
  getDismissedReason?: () => string
}
type IdentityApi = {
  initialize: (options: {
    client_id: string
    nonce?: string
    callback: (answer: { credential?: string }) => void
    use_fedcm_for_prompt: true
    auto_select: false
    cancel_on_tap_outside: false
    itp_support: true
  }) => void
  prompt: (onMoment?: (moment: PromptMoment) => void) => void
  cancel: () => void
}
export type IdentityWindow = { google?: { accounts?: { id?: IdentityApi } } }

type Deps = {
  clock: Clock
  storage: SafeStorage
  api: Pick<ApiClient, 'get' | 'postForm'>
  window: IdentityWindow
  /** ms since 1970. */
  now: () => number
  config: OneTapSettings
  /** Address of the application. */
  applicationUrl: string
  loadScript: (address: string) => Promise<unknown>
  encryptCredential: (credential: string) => Promise<string>
  signInDetails: () => SignInDetails
  /** Whether the frame of the prompt is in the page. */
  isPromptVisible: () => boolean
  /** Goes to the application; `new`: in a new tab, where the browser allows it. */
  openApplication: (url: string, target: 'same' | 'new') => void
  /** Shows the failure to the visitor. */
  onFailure: () => void
  warn: (message: string) => void
}

const signedInKey = 'signed_in'

/** The identity provider's API; null when its script does not load, which the visitor is told. */
async function loadIdentityApi({
  loadScript,
  config,
  window,
  warn,
  onFailure,
}: Deps): Promise<IdentityApi | null> {
  try {
    await loadScript(config.script)
  } catch (error) {
    warn(`the identity script failed: ${String(error)}`)
    onFailure()
    return null
  }
  return window.google?.accounts?.id ?? null
}

/**
 * Fetched for each prompt: the page is shared and cached, and a nonce is valid once. Some backends
 * know no nonces.
 */
async function fetchNonce({ api, config }: Deps): Promise<{ nonce?: string }> {
  if (!config.takesNonce) return {}
  const { nonce } = toRecord(await api.get(`${config.authBase}/sys/user/passport/nonce`))
  if (typeof nonce !== 'string') throw new Error('the answer has no nonce')
  return { nonce }
}

/**
 * One-tap sign-in (spec 7.5): shows the prompt 3 s after load, unless the visitor has signed in
 * here or dismissed it recently. A failed sign-in and an identity script that does not load show a
 * toast. After a success the visitor goes to the application with a one-time token, which is never
 * stored or logged.
 */
export function startOneTap(deps: Deps): () => void {
  const { clock, storage, config, warn } = deps
  const coolDown = createPromptCoolDown(storage, deps.now)
  let stopped = false
  let hasCredential = false
  let cancelTimer = clock.after(timing.promptDelayMs, () => void showPrompt())
  const isStopped = (): boolean => stopped

  async function onCredential(token: string): Promise<void> {
    hasCredential = true
    try {
      const credential = await deps.encryptCredential(token)
      const { url, userId } = await signIn(deps, credential, deps.signInDetails())
      storage.set(signedInKey, '1')
      storage.set(userIdKey, userId)
      coolDown.clear()
      deps.openApplication(url, config.target)
    } catch (error) {
      warn(`sign-in failed: ${String(error)}`)
      deps.onFailure()
    }
  }
  function onMoment(moment: PromptMoment): void {
    if (!moment.isDismissedMoment?.() || hasCredential) return
    if (moment.getDismissedReason?.() !== 'credential_returned') coolDown.start()
  }
  /** FedCM gives no reason: a prompt that disappears without a credential counts as dismissed. */
  function watchPrompt(polls: number, wasVisible: boolean): void {
    if (stopped || hasCredential) return
    const isVisible = deps.isPromptVisible()
    if (wasVisible && !isVisible) coolDown.start()
    else if ((polls + 1) * timing.pollIntervalMs < timing.pollTimeoutMs)
      cancelTimer = clock.after(timing.pollIntervalMs, () => watchPrompt(polls + 1, isVisible))
  }
  async function showPrompt(): Promise<void> {
    if (storage.get(signedInKey) !== null || coolDown.isActive()) return
    const identity = await loadIdentityApi(deps)
    if (!identity || isStopped()) return
    try {
      const nonce = await fetchNonce(deps)
      if (isStopped()) return
      identity.initialize({
        client_id: config.clientId,
        ...nonce,
        callback: ({ credential }) => void (credential && onCredential(credential)),
        use_fedcm_for_prompt: true,
        auto_select: false,
        cancel_on_tap_outside: false,
        itp_support: true,
      })
      identity.prompt(onMoment)
      watchPrompt(0, false)
    } catch (error) {
      warn(`the sign-in prompt could not be shown: ${String(error)}`)
    }
  }
  return () => {
    stopped = true
    cancelTimer()
    deps.window.google?.accounts?.id?.cancel()
  }
}
