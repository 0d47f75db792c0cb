import { readFileSync } from 'node:fs'

/** Ids of the processes that a process has started; none when it has ended. From /proc. */
export function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return children.trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/**
 * State of a process in /proc, for example `S` (sleeping) or `T` (stopped); null when there is no
 * such process.
 */
export function stateOf(pid: number): string | null {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null
  } catch {
    return null
  }
}

/**
 * False for a zombie too: a process that has ended, but whose parent has not read its exit code.
 */
export const isRunning = (pid: number): boolean => !['Z', 'X', null].includes(stateOf(pid))

/** Resident memory of a process and its descendants in MiB, from /proc. */
export function residentMemory(pid: number): number {
  const own =
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return childrenOf(pid).reduce((sum, child) => sum + residentMemory(child), own)
}
