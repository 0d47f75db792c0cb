/**
 * What React's renderer gets where it asks for Node's `async_hooks` (`viewConfig` of the webpack configuration puts it there). It asks by it which page is being
 * rendered when a component calls `preload` and its like after a wait, which none of ours does. Node's own, once used, makes every
 * later answer of the process slower (decision 50), so this one knows the page only while React works on it.
 */
export class AsyncLocalStorage<T> {
  private current: T | undefined

  getStore(): T | undefined {
    return this.current
  }

  run<Arguments extends unknown[], Result>(store: T, work: (...given: Arguments) => Result, ...given: Arguments): Result {
    const before = this.current
    this.current = store
    try {
      return work(...given)
    } finally {
      this.current = before
    }
  }
}
