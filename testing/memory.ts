import { readFileSync } from 'node:fs'

/** Resident memory of a process and its descendants in MiB, from /proc. */
export function residentMemory(pid: number): number {
  const own =
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
  return children.reduce((sum, child) => sum + residentMemory(Number(child)), own)
}
