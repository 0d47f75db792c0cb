import { readdirSync, readFileSync } from 'node:fs'
import { WebSocket } from 'undici'

type Profile = {
  nodes: Array<{ id: number; callFrame: { functionName: string; url: string } }>
  samples: number[]
  timeDeltas: number[]
}

/** CPU time (s) of each thread of a process so far, by thread id. Linux only; empty elsewhere. */
export function threadTimes(pid: number): Map<string, number> {
  try {
    return new Map(
      readdirSync(`/proc/${pid}/task`).map((task) => {
        const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
        // utime and stime, in hundredths of a second
        return [task, (Number(fields[11]) + Number(fields[12])) / 100] as const
      }),
    )
  } catch {
    return new Map()
  }
}

/** WebSocket URL of the inspector of a process that runs with `--inspect=PORT`. */
export async function inspectorAt(port: number): Promise<string> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Array<{
    webSocketDebuggerUrl: string
  }>
  return targets[0]?.webSocketDebuggerUrl ?? ''
}

/**
 * Starts a CPU profile of the main thread of a process that runs with `--inspect`. `inspector` is
 * its WebSocket URL. The returned function stops the profile and resolves to the self times,
 * longest first.
 */
export async function startProfile(inspector: string): Promise<() => Promise<SelfTime[]>> {
  const socket = new WebSocket(inspector)
  let nextId = 1
  const pending = new Map<number, (result: { profile?: Profile }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: { profile?: Profile } }
    pending.get(id)?.(result)
  })
  await new Promise((done, fail) => {
    socket.addEventListener('open', done)
    socket.addEventListener('error', () => fail(new Error('the process cannot be profiled')))
  })
  const send = (method: string): Promise<{ profile?: Profile }> =>
    new Promise((done) => {
      pending.set(nextId, done)
      socket.send(JSON.stringify({ id: nextId++, method }))
    })
  await send('Profiler.enable')
  await send('Profiler.start')
  return async () => {
    const { profile } = await send('Profiler.stop')
    socket.close()
    return profile ? selfTimes(profile) : []
  }
}

/**
 * Self time of a function. `place` is its file: `node:…`, `main.js` (the server), `view.js` (React
 * and the pages), or '' for native code. `share` is its part of the busy time (0 to 1).
 */
type SelfTime = { name: string; place: string; share: number }

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
