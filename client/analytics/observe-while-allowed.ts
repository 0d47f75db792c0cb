import type { EmitEvent } from './analytics'
import type { Consent } from './consent'
import { syntheticClick } from './synthetic-click'

type Deps = {
  consent: Pick<Consent, 'allowed' | 'isAcceptedHere'>
  emit: EmitEvent
  /** Starts the observers of views, clicks and exposure; returns the function that stops them. */
  observe: () => () => void
}

/**
 * Runs the observers while measuring is allowed, or while that is not known: where the visitor is
 * asked, nothing is observed before the answer (spec 7.8). Acceptance starts them, which reports a
 * view of the page on the screen. On this page it is itself reported as a click: at the time of
 * that click there was no listener.
 */
export function observeWhileAllowed({
  consent: { allowed, isAcceptedHere },
  emit,
  observe,
}: Deps): () => void {
  let stopObserving: (() => void) | null = null
  function stop(): void {
    stopObserving?.()
    stopObserving = null
  }
  function update(): void {
    if (allowed.get() === false) stop()
    else stopObserving ??= observe()
  }
  function onChange(): void {
    const isStarting = stopObserving === null
    update()
    if (isStarting && isAcceptedHere())
      emit(syntheticClick({ key: 'consent-accept', trigger: 'consent', el_type: 'button' }))
  }
  update()
  const unsubscribe = allowed.subscribe(onChange)
  return () => {
    unsubscribe()
    stop()
  }
}
