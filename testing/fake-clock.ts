import type { Clock } from '../client/platform/clock'

export type FakeClock = Clock & {
  /** Lets ms pass; timers run in order, at their time, and promises between them settle. */ pass: (
    ms: number,
  ) => Promise<void>
}

/** A clock that only moves when a test calls `pass`. */
export function fakeClock(): FakeClock {
  let time = 0
  let timers: Array<{ at: number; run: () => void }> = []
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: time + ms, run }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  return {
    now: () => time,
    after,
    frame: (run) => after(16, run),
    async pass(ms) {
      const end = time + ms
      await settle()
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        time = next.at
        next.run()
        await settle()
      }
      time = end
    },
  }
}
