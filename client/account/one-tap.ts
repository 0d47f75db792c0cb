import { oneTap as times } from '../../shared/constants'
import type { ApiClient } from '../platform/api-client'
import type { Clock } from '../platform/clock'
import type { SafeStorage } from '../platform/safe-storage'

/** The part of Google Identity Services that is used; a test's identity provider has the same. */
type PromptMoment = {
  isSkippedMoment?: () => boolean
  isDismissedMoment?: () => boolean
  getDismissedReason?: () => string
}
type IdentityApi = {
  initialize: (options: {
    client_id: string
    nonce: string
    callback: (answer: { credential?: string }) => void
    use_fedcm_for_prompt: true
    auto_select: false
    cancel_on_tap_outside: false
    itp_support: true
  }) => void
  prompt: (moment?: (notification: PromptMoment) => void) => void
  cancel: () => void
}
export type IdentityWindow = { google?: { accounts?: { id?: IdentityApi } } }

type Deps = {
  clock: Clock
  storage: SafeStorage
  api: Pick<ApiClient, 'get' | 'postForm'>
  page: IdentityWindow
  /** Wall clock, ms: a cool-down outlives the page. */
  now: () => number
  config: {
    clientId: string
    script: string
    /** Path or origin and path under which the passport calls lie. */ authBase: string
    target: 'same' | 'new'
  }
  loadScript: (address: string) => Promise<unknown>
  /** Encrypts the identity token: `{_t}.{_a}`. */
  sealCredential: (credential: string) => Promise<string>
  /** What the sign-in call wants to know besides. */
  details: () => { inviteCode: string; language: string; source: string; referer: string }
  /** Whether the frame of the prompt is in the page. */
  frameShown: () => boolean
  /** Leaves for the application; `new` where the browser lets a tab be opened. */
  leave: (url: string, target: 'same' | 'new') => void
  failed: () => void
  warn: (message: string) => void
}

const keys = { signedIn: 'signed_in', coolDown: 'one_tap_cooldown' } as const
/** After each dismissal in a row the prompt stays away longer (ms): two hours, a day, a week, four weeks. */
const coolDowns = [2, 24, 7 * 24, 28 * 24].map((hours) => hours * 3_600_000)

type CoolDown = { until: number; times: number }
function readCoolDown(storage: SafeStorage): CoolDown {
  try {
    const { until, times: count } = JSON.parse(
      storage.get(keys.coolDown) ?? '',
    ) as Partial<CoolDown>
    return { until: Number(until) || 0, times: Number(count) || 0 }
  } catch {
    return { until: 0, times: 0 }
  }
}

/** Whether the prompt may be shown: not to who has signed in here, nor while it cools down after a dismissal. */
export const mayPrompt = ({ storage, now }: Pick<Deps, 'storage' | 'now'>): boolean =>
  storage.get(keys.signedIn) === null && readCoolDown(storage).until <= now()

/**
 * One-tap sign-in (spec section 4): prompts 3 s after load. A non-zero code, and an identity script that does not load, end in the
 * failure toast; success leads to the application with its one-time token, which is written nowhere.
 */
export function startOneTap(deps: Deps): () => void {
  const { clock, storage, api, page, now, config } = deps
  let stopped = false
  let polls = 0
  let seen = false
  let answered = false
  let cancel = clock.after(times.promptDelay, () => void prompt())

  function coolDown(): void {
    const { times: before } = readCoolDown(storage)
    storage.set(
      keys.coolDown,
      JSON.stringify({
        until: now() + (coolDowns[Math.min(before, coolDowns.length - 1)] ?? 0),
        times: before + 1,
      }),
    )
  }

  async function signIn(credential: string): Promise<void> {
    answered = true
    try {
      const { inviteCode, language, source, referer } = deps.details()
      const data = await api.postForm(`${config.authBase}/sys/user/passport/authorized-login`, {
        third_party: 'google',
        third_party_action_type: 'one_tap',
        invite_code: inviteCode,
        regParam: inviteCode,
        language,
        source,
        referer,
        redirect_data: '',
        credential: await deps.sealCredential(credential),
      })
      const { url } = data as { url?: unknown }
      if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new Error('the answer names no application')
      storage.set(keys.signedIn, '1')
      storage.remove(keys.coolDown)
      deps.leave(url, config.target)
    } catch (error) {
      deps.warn(`sign-in failed: ${String(error)}`)
      deps.failed()
    }
  }

  /** FedCM says no more why a prompt went away: a frame that was there and is gone without an answer has been dismissed. */
  function watchFrame(): void {
    if (stopped || answered) return
    const shown = deps.frameShown()
    if (seen && !shown) return coolDown()
    seen ||= shown
    polls += 1
    if (polls * times.pollEvery < times.pollEnd) cancel = clock.after(times.pollEvery, watchFrame)
  }

  async function prompt(): Promise<void> {
    if (stopped || !mayPrompt(deps)) return
    try {
      await deps.loadScript(config.script)
    } catch (error) {
      deps.warn(`the identity script failed: ${String(error)}`)
      return deps.failed()
    }
    const identity = page.google?.accounts?.id
    if (!identity || stopped) return
    try {
      // Never from the page: it is shared and cached, a nonce is good once.
      const { nonce } = (await api.get(`${config.authBase}/sys/user/passport/nonce`)) as {
        nonce: string
      }
      if (stopped) return
      identity.initialize({
        client_id: config.clientId,
        nonce,
        callback: ({ credential }) => void (credential && signIn(credential)),
        use_fedcm_for_prompt: true,
        auto_select: false,
        cancel_on_tap_outside: false,
        itp_support: true,
      })
      identity.prompt((moment) => {
        if (
          moment.isDismissedMoment?.() &&
          moment.getDismissedReason?.() !== 'credential_returned' &&
          !answered
        )
          coolDown()
      })
      watchFrame()
    } catch (error) {
      deps.warn(`the sign-in prompt could not be shown: ${String(error)}`)
    }
  }

  return () => {
    stopped = true
    cancel()
    page.google?.accounts?.id?.cancel()
  }
}
