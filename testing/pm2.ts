/**
 * Runs the site under PM2 with a PM2 home folder and a copy of the project of its own: a deployment
 * writes which build it serves.
 */
import { execFile, type ExecFileException } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copyProject } from './project-copy'
import { buildFolder } from './root'
import { releaseDaemon, releaseWithTests, temporaryFolder } from './release-with-tests'

type Pm2Process = {
  name: string
  pid: number
  pm_id: number
  pm2_env: { status: string; restart_time: number; node_version: string }
}
export type TestPm2 = {
  /** Folder of the copied project, with the build under test. */
  project: string
  /** A command of PM2 under another Node. */
  run: (node: string, ...args: string[]) => Promise<string>
  /** The command that an operator uses. `changed` settings are for this call only. */
  reload: (args?: readonly string[], changed?: Record<string, string>) => Promise<string>
  list: () => Promise<Pm2Process[]>
  stop: () => Promise<void>
}

/** `env` are the site's settings. */
export function testPm2(env: Record<string, string>): TestPm2 {
  const home = temporaryFolder('pm2')
  releaseDaemon(join(home, 'pm2.pid'))
  const project = copyProject(temporaryFolder('deployed')).folder
  const build = buildFolder()
  cpSync(build, join(project, 'dist', basename(build)), { recursive: true })
  // Starting a process can be slow while other tests run.
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    PM2_HOME: home,
    PM2_LISTEN_TIMEOUT: '60000',
    ...env,
  }
  const execute = (
    program: string,
    args: readonly string[],
    changed: Record<string, string> = {},
  ): Promise<string> =>
    new Promise((resolve, reject) => {
      releaseWithTests(
        execFile(
          program,
          args,
          { cwd: project, env: { ...environment, ...changed }, timeout: 180_000 },
          (error: ExecFileException | null, stdout, stderr) => {
            if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
            else resolve(stdout)
          },
        ),
      )
    })
  const node = (...args: string[]): Promise<string> => execute(process.execPath, args)
  const bin = join(project, 'node_modules', 'pm2', 'bin', 'pm2')
  const pm2 = (...args: string[]): Promise<string> => node(bin, ...args)
  return {
    project,
    run: (program, ...args) => execute(program, [bin, ...args]),
    reload: (args = [], changed) =>
      execute(process.execPath, [join(project, 'scripts', 'deploy-reload.mjs'), ...args], changed),
    async list() {
      const out = await pm2('jlist', '--silent')
      return JSON.parse(out.slice(out.indexOf('['))) as Pm2Process[]
    },
    async stop() {
      await pm2('kill')
      for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
