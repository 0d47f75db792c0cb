import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { contentWith } from '../../../testing/content-copy'
import { buildFolder, programSettings, root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { seedContent } from '../../../testing/site'

function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): { status: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...programSettings(), ...env },
  })
  return { status, out: stdout + stderr }
}
const tsx = join(root, 'node_modules', '.bin', 'tsx')

describe('a bad setting', () => {
  it.each([
    ['PORT', 'abc'],
    // An address for documentation, which no machine has.
    ['HOST', '192.0.2.1'],
    ['DATA_DIR', '/dev/null'],
    ['DATA_DIR', '/dev/null/data'],
    // Node's recursive mkdir would never return.
    ['DATA_DIR', '/proc/data/site'],
    ['DATABASE_URL', 'file:/etc'],
  ])('%s=%s ends the start with one line and exit code 1', (name, value) => {
    const { status, out } = run(process.execPath, [join(buildFolder(), 'server', 'main.js')], {
      PORT: '0',
      DATA_DIR: temporaryFolder('bad'),
      [name]: value,
    })
    expect(status).toBe(1)
    expect(out.trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${name}="${value}" is not accepted: .+`)),
    ])
  })

  it('is also a port in use', async () => {
    const { createServer } = await import('node:net')
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { status, out } = run(process.execPath, [join(buildFolder(), 'server', 'main.js')], {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: temporaryFolder('taken'),
    })
    server.close()
    expect([status, out.trim()]).toEqual([
      1,
      `PORT=${port} cannot be used: another program listens on it`,
    ])
  })
})

describe('npm run audit', () => {
  const programs = temporaryFolder('npm')
  afterAll(() => rmSync(programs, { recursive: true, force: true }))
  const unreachable = { error: { summary: 'request failed, reason: ENOTFOUND' } }
  const allSigned = { invalid: [], missing: [] }
  const nothingKnown = { auditReportVersion: 2, vulnerabilities: {} }
  const vulnerable = {
    auditReportVersion: 2,
    vulnerabilities: {
      parser: { name: 'parser', severity: 'high', range: '<2', via: [{ title: 'Slow input' }] },
      server: { name: 'server', severity: 'high', range: '*', via: ['parser'] },
    },
  }

  it.each<[string, object, object, number, string[]]>([
    [
      'nothing is wrong',
      allSigned,
      nothingKnown,
      0,
      ['signatures: nothing found', 'advisories: nothing found'],
    ],
    [
      'a package has a known vulnerability',
      allSigned,
      vulnerable,
      1,
      ['parser <2: high: Slow input', 'server *: high: through parser'],
    ],
    [
      'a signature is wrong or missing',
      { invalid: [{ name: 'a', version: '1.0.0' }], missing: [{ name: 'b', version: '2.0.0' }] },
      unreachable,
      1,
      ['a@1.0.0: its signature is wrong', 'b@2.0.0: it is not signed', 'advisories: no answer'],
    ],
    [
      'the registry does not answer',
      unreachable,
      { message: '405 Method Not Allowed', statusCode: 405 },
      2,
      ['signatures: no answer (request failed, reason: ENOTFOUND)', 'advisories: no answer (405'],
    ],
  ])('%s', (_name, signatures, advisories, status, parts) => {
    // Stands in for npm, which asks the registry.
    writeFileSync(
      join(programs, 'npm'),
      `#!/bin/sh\ncase "$*" in "audit signatures "*) echo '${JSON.stringify(signatures)}' ;; *) echo '${JSON.stringify(advisories)}' ;; esac\n`,
      { mode: 0o755 },
    )
    const result = run(process.execPath, [join(root, 'scripts', 'audit.mjs')], { PATH: programs })
    expect(result.status).toBe(status)
    for (const part of parts) expect(result.out).toContain(part)
  })
})

// That it succeeds for the content of the project is a part of `npm test`.
describe('check:content', () => {
  const content = contentWith({}, ['news'])
  afterAll(() => rmSync(content, { recursive: true, force: true }))

  it('names broken files and redirect rows, and fails', () => {
    mkdirSync(join(content, 'news', 'broken'), { recursive: true })
    writeFileSync(
      join(content, 'news', 'broken', 'en.md'),
      '---\ntitle: "T"\ndescription: "D"\n---\n',
    )
    writeFileSync(
      join(content, 'redirects.yaml'),
      '- { from: "/a", to: "/a/" }\n- { from: "/pricing", to: "/faq" }\n- { from: "/x", to: "ftp://x" }\n',
    )
    const { status, out } = run(
      process.execPath,
      [join(root, 'scripts', 'content.mjs'), '--check'],
      { CONTENT_DIR: content, HOME: process.env['HOME'] ?? '' },
    )
    expect(status).toBe(1)
    for (const line of [
      'content/news/broken/en.md:2: date',
      'content/redirects.yaml:1: /a: loops',
      'content/redirects.yaml:2: /pricing: starts on a live page',
      'content/redirects.yaml:3: to: ',
    ])
      expect(out).toContain(line)
  })
})

// What it explains is tested with the console, which shows the same.
describe('explain', () => {
  const data = seedContent(temporaryFolder('explain'))
  afterAll(() => rmSync(data, { recursive: true, force: true }))

  it.each([
    [
      ['/', '--accept-language', 'th'],
      ['rule 1   language of the visitor', 'answer   302  http://localhost:3000/th'],
    ],
    [
      ['http://zh.localhost:3000/blog/none'],
      ['route    blog-article', 'guard    blog', 'answer   404'],
    ],
  ])('%j', (args, parts) => {
    const { status, out } = run(tsx, [join(root, 'scripts', 'explain.ts'), ...args], {
      DATA_DIR: data,
    })
    expect(status).toBe(0)
    for (const part of parts) expect(out).toContain(part)
  })

  it('prints its usage', () => {
    expect(run(tsx, [join(root, 'scripts', 'explain.ts')])).toEqual({
      status: 1,
      out: expect.stringContaining('usage: npm run explain'),
    })
  })
})
