/** Sends prepared POST requests over kept-alive connections and measures the answers. */
import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { cpus } from 'node:os'

export type Post = { path: string; type: 'form' | 'json'; body: string }
/** Latencies in ms. */
type PostRun = {
  accepted: number
  failed: number
  seconds: number
  p50: number
  p95: number
  p99: number
}

const contentTypes = { form: 'application/x-www-form-urlencoded', json: 'application/json' }

/** Moves this process to the second core, so that it leaves the first one to the server. */
export function leaveFirstCore(): void {
  if (cpus().length < 2) return
  try {
    execFileSync('taskset', ['-cp', '1', String(process.pid)], { stdio: 'ignore' })
  } catch {
    // Without taskset the load runs on any core.
  }
}

/** Sends each request once, for at most `seconds`. */
export async function sendPosts(
  port: number,
  posts: readonly Post[],
  connections: number,
  seconds: number,
): Promise<PostRun> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const latencies: number[] = []
  let [next, accepted, failed] = [0, 0, 0]
  const send = ({ path, type, body }: Post): Promise<void> =>
    new Promise((done) => {
      const startedAt = performance.now()
      const headers = {
        host: `localhost:${port}`,
        'content-type': contentTypes[type],
        'content-length': Buffer.byteLength(body),
      }
      const call = request(
        { host: '127.0.0.1', port, path, method: 'POST', agent, headers },
        (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 200) accepted += 1
            else failed += 1
            latencies.push(performance.now() - startedAt)
            done()
          })
        },
      )
      call.on('error', () => done(void (failed += 1)))
      call.end(body)
    })
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (;;) {
        const post = posts[next++]
        if (!post || performance.now() - startedAt >= seconds * 1000) return
        await send(post)
      }
    }),
  )
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
  const elapsed = (performance.now() - startedAt) / 1000
  return { accepted, failed, seconds: elapsed, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
