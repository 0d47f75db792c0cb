import { spawn } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { codeSamples } from '../../../testing/code-samples'
import { startProxy } from '../../../testing/proxy'

const samples = codeSamples().filter(
  ({ code }) => code.includes('-x ') && code.includes('proxy.example.com'),
)
const commands = new Map(
  samples.filter(({ language }) => language === 'bash').map(({ code, file }) => [code, file]),
)

/**
 * Runs a command as at a prompt, where the password is typed; answers its exit code. `detached`:
 * without a terminal curl asks its standard input.
 */
const type = (command: string, password: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', command], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
    })
    child.once('error', reject)
    child.once('exit', resolve)
    child.stdin.on('error', () => {})
    child.stdin.end(`${password}\n`)
  })

describe('the commands that test a proxy', () => {
  it.each([...commands].map(([code, file]) => ({ code, file })))(
    'ask it for the site, with the name that is given ($file)',
    async ({ code }) => {
      const proxy = await startProxy()
      try {
        for (const line of code.trim().split('\n'))
          expect(
            await type(
              // The certificate of the stand-in is signed by no authority.
              `${line.replace(/proxy\.example\.com:\d+/, `127.0.0.1:${proxy.port}`)} --proxy-insecure`,
              'secret',
            ),
          ).not.toBe(127)
        // `socks5h`: the name of the site is looked up by the proxy, so the test says what the
        // browser would do.
        expect(proxy.asked).toEqual([
          'http user:secret example.com:443',
          'https user:secret example.com:443',
          'socks user:secret example.com:443',
        ])
      } finally {
        await proxy.stop()
      }
    },
  )

  it('are the same for Windows, where curl has another name', () => {
    const windows = samples.filter(({ language }) => language === 'powershell')
    expect(windows.length).toBeGreaterThanOrEqual(14)
    for (const { code } of windows)
      expect([...commands.keys()]).toContain(code.replaceAll('curl.exe ', 'curl '))
  })
})
