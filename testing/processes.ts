import { readFileSync } from 'node:fs'

/** Ids of the processes that a process has started, from /proc. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)

/** Whether a process runs: it exists, and is not one that has ended and was not waited for. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Resident memory of a process and its descendants in MiB, from /proc. */
export function residentMemory(pid: number): number {
  const own =
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return childrenOf(pid).reduce((sum, child) => sum + residentMemory(child), own)
}
