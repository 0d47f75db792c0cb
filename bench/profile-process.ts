import { readdirSync, readFileSync } from 'node:fs'
import { WebSocket } from 'undici'

type Profile = {
  nodes: Array<{ id: number; callFrame: { functionName: string; url: string } }>
  samples: number[]
  timeDeltas: number[]
}

/** Processor time (s) that each thread of a process has used so far, by thread number. Linux only; empty elsewhere. */
export function threadTimes(pid: number): Map<string, number> {
  try {
    return new Map(
      readdirSync(`/proc/${pid}/task`).map((task) => {
        const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
        // utime and stime, in hundredths of a second.
        return [task, (Number(fields[11]) + Number(fields[12])) / 100] as const
      }),
    )
  } catch {
    return new Map()
  }
}

/** Profiles the main thread of a process started with `--inspect=0`, from now until the function answered is called; that gives self time by function. */
export async function startProfile(inspector: string): Promise<() => Promise<SelfTime[]>> {
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
  const say = (method: string): Promise<{ profile?: Profile }> =>
    new Promise((done) => {
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

/** `place` = the file that a function stands in: `node:…`, `main.js` (the server), `view.js` (React and the pages), '' for what V8 does by itself. */
export type SelfTime = { name: string; place: string; share: number }

function selfTimes({ nodes, samples, timeDeltas }: Profile): SelfTime[] {
  const keys = new Map(
    nodes.map(({ id, callFrame }) => [
      id,
      `${callFrame.url.startsWith('node:') ? callFrame.url : callFrame.url.replace(/^.*\//, '')}\t${callFrame.functionName || '(anonymous)'}`,
    ]),
  )
  const times = new Map<string, number>()
  samples.forEach((id, index) =>
    times.set(keys.get(id) ?? '', (times.get(keys.get(id) ?? '') ?? 0) + (timeDeltas[index] ?? 0)),
  )
  const busy = [...times].filter(([key]) => key !== '\t(idle)').sort((a, b) => b[1] - a[1])
  const sum = busy.reduce((total, [, time]) => total + time, 0)
  return busy.map(([key, time]) => {
    const [place = '', name = ''] = key.split('\t')
    return { name, place, share: time / sum }
  })
}
