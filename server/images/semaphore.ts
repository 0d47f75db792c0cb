/** Limits how many jobs of this process run at the same time; the others wait in order. */
export function createSemaphore(limit: number) {
  const waiting: Array<() => void> = []
  let running = 0
  return {
    async acquire(): Promise<void> {
      if (running < limit) running += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    /**
     * Hands the slot directly to the next job in line, so that a newer job cannot take it first.
     */
    release(): void {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    },
  }
}
