/** Sends a sequence of `npm run bench -- fuzz` and reads what comes back, byte by byte. */
import type { Socket } from 'node:net'
import type { Sequence } from './fuzz-requests'

export type FuzzAnswer = {
  status: number
  /** Headers by name in lower case. */
  headers: ReadonlyMap<string, string>
  body: string
}
/** `problem`: what breaks a rule; undefined when nothing does. */
type Exchange = { answers: readonly FuzzAnswer[]; problem?: string }

/** A connection that is silent this long waits for bytes that a changed sequence does not have. */
const quietMs = 700
/** Then, or when all is sent, the other side may be silent this long before it closes. */
const hangMs = 5000

const statusLine = /^HTTP\/1\.[01] ([1-5]\d\d) [\x20-\x7e]*$/
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\x80-\xff\t]*)$/

type Parsed = { answer: FuzzAnswer; end: number }

/** The end of a chunked body, or -1 while it is incomplete. */
function chunkedEnd(bytes: string, start: number): number {
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return -1
    const size = Number.parseInt(bytes.slice(at, lineEnd), 16)
    if (Number.isNaN(size)) throw new Error('a chunk has no size')
    at = lineEnd + 2 + size + 2
    if (at > bytes.length) return -1
    if (size === 0) return at
  }
}

/**
 * The answer that starts at an offset. Null while it is incomplete; throws when it is malformed.
 */
function parseAnswer(
  bytes: string,
  start: number,
  method: string | undefined,
  isClosed: boolean,
): Parsed | null {
  const headEnd = bytes.indexOf('\r\n\r\n', start)
  if (headEnd < 0) {
    if (isClosed || bytes.length - start > 65_536)
      throw new Error(`no answer: ${JSON.stringify(bytes.slice(start, start + 60))}`)
    return null
  }
  const [first = '', ...lines] = bytes.slice(start, headEnd).split('\r\n')
  const status = Number(statusLine.exec(first)?.[1] ?? 0)
  if (status === 0) throw new Error(`no status line: ${JSON.stringify(first.slice(0, 60))}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = headerLine.exec(line) ?? []
    if (!name) throw new Error(`no header line: ${JSON.stringify(line.slice(0, 60))}`)
    headers.set(name.toLowerCase(), value)
  }
  const bodyStart = headEnd + 4
  const answer = (end: number): Parsed => ({
    answer: { status, headers, body: bytes.slice(bodyStart, end) },
    end,
  })
  const length = headers.get('content-length')
  const isBodiless = status < 200 || status === 204 || status === 304 || method === 'HEAD'
  // Whether a changed request was HEAD is not known. Its answer has a length and no body.
  const seemsBodiless =
    method === undefined &&
    (bytes.startsWith('HTTP/1.', bodyStart) || (isClosed && bytes.length === bodyStart))
  if (isBodiless || seemsBodiless) return answer(bodyStart)
  if (headers.get('transfer-encoding') === 'chunked') {
    const end = chunkedEnd(bytes, bodyStart)
    if (end >= 0) return answer(end)
    if (isClosed) throw new Error('a chunked body is incomplete')
    return null
  }
  if (length === undefined) return isClosed ? answer(bytes.length) : null
  const end = bodyStart + Number(length)
  if (end <= bytes.length) return answer(end)
  if (isClosed) throw new Error('a body is shorter than its length')
  return null
}

function parseAnswers(bytes: string, methods: readonly string[] | null): FuzzAnswer[] {
  const answers: FuzzAnswer[] = []
  let finals = 0
  for (let at = 0; at < bytes.length;) {
    const parsed = parseAnswer(bytes, at, methods ? (methods[finals] ?? '') : undefined, true)
    if (!parsed) break
    at = parsed.end
    if (parsed.answer.status < 200) continue
    finals += 1
    answers.push(parsed.answer)
  }
  return answers
}

/** What is wrong with the answers to an unchanged sequence. */
function problemOf(
  answers: readonly FuzzAnswer[],
  expected: NonNullable<Sequence['expected']>,
): string | undefined {
  // A refusal that leaves a body unread closes the connection; the rest has no answer.
  const isClosedEarly = answers.at(-1)?.headers.get('connection')?.toLowerCase() === 'close'
  if (answers.length > expected.length || (answers.length < expected.length && !isClosedEarly))
    return `${answers.length} answers to ${expected.length} requests`
  for (const [index, { body }] of answers.entries()) {
    // The backend of the third set-up answers with the id of the request.
    const id = /^\{"code":0,"msg":"ok","data":\{"id":"([^"]*)"\}\}$/.exec(body)?.[1]
    if (id !== undefined && id !== expected[index]?.id)
      return `the answer to ${id} was sent to ${expected[index]?.id}`
  }
  return undefined
}

/**
 * A request line without a version, perhaps right after a body: HTTP/0.9, whose answer has no head.
 * nginx knows it.
 */
const oldRequestLine = /[A-Z]+ +[^ \r\n]+ *\r*\n/

/** `toNginx`: nginx may answer HTTP/0.9, or reset a connection with its refusal unread. */
export function exchange(
  connect: () => Socket,
  { packets, expected }: Sequence,
  toNginx: boolean,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect()
    let quiet: NodeJS.Timeout | undefined
    let hang: NodeJS.Timeout | undefined
    let problem: string | undefined
    let hasEnded = false

    const watch = (): void => {
      clearTimeout(hang)
      hang = setTimeout(() => {
        problem = 'the connection is silent for 5 s and open'
        socket.destroy()
      }, hangMs)
    }
    const waitForSilence = (): void => {
      clearTimeout(quiet)
      if (hasEnded || expected) return
      quiet = setTimeout(() => {
        hasEnded = true
        socket.end()
        watch()
      }, quietMs)
    }
    const send = (index: number): void => {
      const packet = packets[index]
      if (socket.destroyed) return
      if (packet) return void socket.write(packet, () => setImmediate(send, index + 1))
      if (expected) watch()
      else waitForSilence()
    }
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (hang) watch()
      else if (quiet) waitForSilence()
    })
    // A server may reset a connection whose rest it does not read, for example after a refusal.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(quiet)
      clearTimeout(hang)
      const bytes = Buffer.concat(chunks).toString('latin1')
      let answers: FuzzAnswer[] = []
      try {
        answers = parseAnswers(bytes, expected?.map(({ method }) => method) ?? null)
        problem ??= expected ? problemOf(answers, expected) : undefined
        if (answers.length === 0 && !hasEnded && !toNginx) problem ??= 'closed without an answer'
      } catch (error) {
        const isOld = toNginx && oldRequestLine.test(Buffer.concat(packets).toString('latin1'))
        // What was on its way when this side ended the connection may be incomplete.
        if (!hasEnded && !isOld) problem ??= error instanceof Error ? error.message : String(error)
      }
      resolve({ answers, ...(problem === undefined ? {} : { problem }) })
    })
    send(0)
  })
}
