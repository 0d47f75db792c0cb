/**
 * PM2 configuration. `npm run deploy:reload` starts the site or replaces its processes one by one;
 * the settings are those of the environment of that command.
 */
const { readFileSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { nodeOptions } = require('./scripts/node-options.cjs')
const { isSupported, supportedRange } = require('./scripts/supported-node.cjs')

// Cluster processes run on the Node of PM2's daemon, which is that of the command that started it.
if (!isSupported(process.version)) {
  console.error(
    `Node ${process.versions.node} cannot run this site (package.json requires ${supportedRange}): use "npm run deploy:reload", or run PM2 with node_modules/.bin/node`,
  )
  process.exit(1)
}

// PM2 changes no variable in a reload that is not listed in `env`, and removes none. So all
// settings are listed; an empty one counts as absent.
const example = readFileSync(join(__dirname, '.env.example'), 'utf8')
const settings = Object.fromEntries(
  Array.from(example.matchAll(/^(\w+)=/gm), ([, name]) => [name, process.env[name] ?? '']),
)
const dataDir = resolve(__dirname, process.env.DATA_DIR || 'data')
const pageCacheMb = Number(process.env.PAGE_CACHE_MAX_MB || 256)
/** Memory of a process besides its page cache. */
const processMb = 768

module.exports = {
  apps: [
    {
      name: process.env.PM2_APP_NAME || 'site',
      // The same file for every build, because PM2 keeps the path over reloads. It looks up the
      // deployed build when it starts.
      script: join(__dirname, 'scripts', 'serve.mjs'),
      cwd: __dirname,
      exec_mode: 'cluster',
      node_args: nodeOptions,
      // One process per core by default.
      instances: process.env.WEB_CONCURRENCY || 'max',
      // An old process is stopped when the new one has rendered its first page and reports ready,
      // or after listen_timeout. Raise it on a machine where a start takes longer.
      wait_ready: true,
      listen_timeout: Number(process.env.PM2_LISTEN_TIMEOUT || 8000),
      // The site drains for at most 7 s and exits after at most 8.5 s (server/main.ts).
      kill_timeout: 9000,
      // The server stops its content process and encoders itself. If PM2 killed them, running
      // requests that need them would fail.
      treekill: false,
      // A process above this limit probably leaks memory and is replaced as in a reload.
      max_memory_restart: `${pageCacheMb + processMb}M`,
      // A process that fails to start is retried after 0.1 s, then with growing delays.
      exp_backoff_restart_delay: 100,
      // Cluster processes have no standard output, so they append their JSON lines to one file
      // (decision 70). PM2's files get what is written before the log exists, for example an
      // invalid setting or a missing build.
      merge_logs: true,
      out_file: join(dataDir, 'logs', 'pm2.log'),
      error_file: join(dataDir, 'logs', 'pm2.log'),
      // No code of PM2 in the processes, and no access to the Git repository.
      pmx: false,
      vizion: false,
      env: {
        ...settings,
        NODE_ENV: 'production',
        // Only a proxy on this machine can connect. With the proxy on another machine, set HOST to
        // the private address of this one.
        HOST: process.env.HOST || '127.0.0.1',
        LOG_FILE: process.env.LOG_FILE || join(dataDir, 'logs', 'site.log'),
      },
    },
  ],
}
