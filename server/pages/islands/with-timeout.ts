/** Rejects when the promise takes longer than `timeoutMs`. Values are returned immediately. */
export async function withTimeout<T>(value: T | Promise<T>, timeoutMs: number): Promise<T> {
  if (!(value instanceof Promise)) return value
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new Error('not ready in time')), timeoutMs)),
  )
  try {
    return await Promise.race([value, timeout])
  } finally {
    clearTimeout(timer)
  }
}
