import { readdirSync, readFileSync } from 'node:fs'
import { WebSocket } from 'undici'

type Profile = { nodes: Array<{ id: number; callFrame: { functionName: string; url: string } }>; samples: number[]; timeDeltas: number[] }

/** Processor time (s) that each thread of a process has used so far, by thread number. Linux only; empty elsewhere. */
export function threadTimes(pid: number): Map<string, number> {
  try {
    return new Map(readdirSync(`/proc/${pid}/task`).map((task) => {
      const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')
      // utime and stime, in hundredths of a second.
      return [task, (Number(fields[11]) + Number(fields[12])) / 100] as const
    }))
  } catch {
    return new Map()
  }
}

/** Profiles the main thread of a process started with `--inspect=0`, from now until the function answered is called; that gives self time by function. */
export async function startProfile(inspector: string): Promise<() => Promise<Array<{ name: string; share: number }>>> {
  const socket = new WebSocket(inspector)
  let next = 1
  const waiting = new Map<number, (result: { profile?: Profile }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: { profile?: Profile } }
    waiting.get(id)?.(result)
  })
  await new Promise((done, fail) => {
    socket.addEventListener('open', done)
    socket.addEventListener('error', () => fail(new Error('the process cannot be profiled')))
  })
  const say = (method: string): Promise<{ profile?: Profile }> => new Promise((done) => {
    waiting.set(next, done)
    socket.send(JSON.stringify({ id: next++, method }))
  })
  await say('Profiler.enable')
  await say('Profiler.start')
  return async () => {
    const { profile } = await say('Profiler.stop')
    socket.close()
    return profile ? selfTimes(profile) : []
  }
}

function selfTimes({ nodes, samples, timeDeltas }: Profile): Array<{ name: string; share: number }> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName || '(anonymous)']))
  const times = new Map<string, number>()
  samples.forEach((id, index) => times.set(names.get(id) ?? '', (times.get(names.get(id) ?? '') ?? 0) + (timeDeltas[index] ?? 0)))
  const busy = [...times].filter(([name]) => name !== '(idle)').sort((a, b) => b[1] - a[1])
  const sum = busy.reduce((total, [, time]) => total + time, 0)
  return busy.map(([name, time]) => ({ name, share: time / sum }))
}
