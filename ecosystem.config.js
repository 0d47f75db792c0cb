/** How PM2 runs the site: `npm run deploy:reload` starts it or replaces its processes one by one. Settings come from the environment of that command. */
const { join, resolve } = require('node:path')
const { isSupported, supportedRange } = require('./scripts/supported-node.cjs')

// In cluster mode processes run on the Node of PM2's daemon, which is the one of the command that started it.
if (!isSupported(process.version)) {
  console.error(
    `Node ${process.versions.node} cannot run this site (package.json asks for ${supportedRange}): use "npm run deploy:reload", or run PM2 with node_modules/.bin/node`,
  )
  process.exit(1)
}

const dataDir = resolve(__dirname, process.env.DATA_DIR || 'data')
const cacheMegabytes = Number(process.env.PAGE_CACHE_MAX_MB || 256)

module.exports = {
  apps: [
    {
      name: process.env.PM2_APP_NAME || 'site',
      // Always the same file: PM2 remembers it over reloads. It looks up the deployed build when it starts.
      script: join(__dirname, 'scripts', 'serve.mjs'),
      cwd: __dirname,
      exec_mode: 'cluster',
      // One a core, unless told otherwise.
      instances: process.env.WEB_CONCURRENCY || 'max',
      // An old process is ended when its successor has rendered its first page and says so, or after listen_timeout: a machine that is so busy that a start
      // takes longer needs more.
      wait_ready: true,
      listen_timeout: Number(process.env.PM2_LISTEN_TIMEOUT || 8000),
      // The site drains for 7 s at most and ends after 8.5 s in any case (server/main.ts).
      kill_timeout: 9000,
      // The server ends its content process and its encoders itself. Ended by PM2, they would take running answers with them.
      treekill: false,
      // Pages, pictures and what the programs themselves need. Beyond it something leaks: the process is replaced as in a reload.
      max_memory_restart: `${cacheMegabytes + 768}M`,
      // A process that cannot start is tried again after 0.1 s, then ever more slowly.
      exp_backoff_restart_delay: 100,
      // Processes in cluster mode have no standard output of their own, so they append their JSON lines to one file (docs/decisions/0070). PM2's own
      // files get what is said before there is a log: a bad setting, a missing build.
      merge_logs: true,
      out_file: join(dataDir, 'logs', 'pm2.log'),
      error_file: join(dataDir, 'logs', 'pm2.log'),
      // No code of PM2's inside the processes, no look at the repository.
      pmx: false,
      vizion: false,
      env: {
        NODE_ENV: 'production',
        LOG_FILE: process.env.LOG_FILE || join(dataDir, 'logs', 'site.log'),
      },
    },
  ],
}
