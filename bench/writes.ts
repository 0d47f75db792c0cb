/**
 * `npm run bench -- writes [--seconds 5] [--runs 3]`: sign-ins, votes and messages that a process
 * on one core accepts a second, each on disk when it is acknowledged, and their latencies. Identity
 * tokens come from a local provider. Event batches: `events`.
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { joinEnvelope } from '../shared/envelope'
import { nonceOf, sealFor } from '../testing/call-api'
import { startIdentityProvider, type IdentityProvider } from '../testing/identity-provider'
import { cpuSeconds } from './load'
import { leaveFirstCore, sendPosts, type Post } from './post-load'
import { report, spread, type Row } from './report'
import { startSite, untilWarmed, type Server } from './servers'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
  },
})
const [seconds, runs] = [Number(values.seconds), Number(values.runs)]
const connections = 32
/** More than any machine takes in a run. Sign-ins are fewer, because preparing one takes 2 ms. */
const counts = { 'sign-ins': 400, votes: 6000, messages: 6000 }
type Kind = keyof typeof counts

async function prepareSignIns(port: number, provider: IdentityProvider): Promise<Post[]> {
  const seal = await sealFor(port)
  const posts: Post[] = []
  for (let index = 0; index < counts['sign-ins'] * seconds; index += 1) {
    const sub = randomUUID()
    const token = await provider.token(await nonceOf(port), { sub, email: `${sub}@example.com` })
    const form = new URLSearchParams({
      third_party: 'google',
      third_party_action_type: 'one_tap',
      invite_code: '',
      language: 'en-US',
      source: 'home',
      referer: '',
      regParam: '',
      redirect_data: '',
      credential: joinEnvelope(await seal(token)),
    })
    posts.push({
      path: '/api/sys/user/passport/authorized-login',
      type: 'form',
      body: form.toString(),
    })
  }
  return posts
}

const prepare: Readonly<
  Record<Kind, (port: number, provider: IdentityProvider) => Promise<Post[]>>
> = {
  'sign-ins': prepareSignIns,
  votes: () =>
    Promise.resolve(
      Array.from({ length: counts.votes * seconds }, (_, index): Post => ({
        path: '/api/site/helpful',
        type: 'json',
        body: JSON.stringify({ page: '/docs/proxies', locale: 'en', helpful: index % 2 === 0 }),
      })),
    ),
  messages: () =>
    Promise.resolve(
      Array.from({ length: counts.messages * seconds }, (_, index): Post => ({
        path: '/api/site/message',
        type: 'json',
        body: JSON.stringify({
          name: 'Ada Example',
          email: 'ada@example.com',
          message: `Question ${index}: how do I move my profiles to another computer?`,
          locale: 'en',
          page: '/docs/profiles',
        }),
      })),
    ),
}

async function measure(site: Server, kind: Kind, provider: IdentityProvider): Promise<Row> {
  const figures: Record<'perSecond' | 'perCpu' | 'p50' | 'p99', number[]> = {
    perSecond: [],
    perCpu: [],
    p50: [],
    p99: [],
  }
  for (let run = 0; run <= runs; run += 1) {
    const posts = await prepare[kind](site.port, provider)
    const cpuBefore = cpuSeconds(site.pid)
    const result = await sendPosts(site.port, posts, connections, seconds)
    const cpu = cpuSeconds(site.pid) - cpuBefore
    if (result.failed > 0) throw new Error(`${result.failed} ${kind} were refused`)
    // In the first run V8 compiles the hot functions.
    if (run === 0) continue
    figures.perSecond.push(result.accepted / result.seconds)
    figures.perCpu.push(result.accepted / cpu)
    figures.p50.push(result.p50)
    figures.p99.push(result.p99)
  }
  return {
    kind,
    'per second': spread(figures.perSecond),
    'per CPU second': spread(figures.perCpu),
    'p50, ms': spread(figures.p50, 1),
    'p99, ms': spread(figures.p99, 1),
  }
}

async function main(): Promise<void> {
  const provider = await startIdentityProvider()
  const site = await startSite({
    ...provider.settings,
    RATE_SIGNIN: '0',
    RATE_VISITOR: '0',
    RATE_MESSAGES: '0',
    RATE_OTHER: '0',
  })
  const rows: Row[] = []
  try {
    await untilWarmed(site)
    leaveFirstCore()
    for (const kind of Object.keys(counts) as Kind[]) rows.push(await measure(site, kind, provider))
  } finally {
    await site.stop()
    await provider.stop()
  }
  report('writes', rows, [
    `${runs} runs of at most ${seconds} s after one that is not counted, ${connections} connections, SQLite, one process on one core, access log on`,
  ])
}

void main()
