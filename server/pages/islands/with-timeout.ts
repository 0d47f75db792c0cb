/** A value, or a promise of it that is given up after `milliseconds`: then it rejects. */
export async function withTimeout<T>(value: T | Promise<T>, milliseconds: number): Promise<T> {
  if (!(value instanceof Promise)) return value
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new Error('not ready in time')), milliseconds)),
  )
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}
