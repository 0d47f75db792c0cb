/**
 * `npm run explain -- URL [--accept-language th] [--cookie es]`: prints which URL rules apply to an
 * address, in order, and the answer.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLocaleCode } from '../shared/i18n/locales'
import { createCompiler } from '../server/content/compile/compiler'
import { contentFile } from '../server/content/data-files'
import { openForReading, openForWriting } from '../server/content/database'
import { createStore } from '../server/content/store/store'
import { readProcessSettings, SettingsError, type Settings } from '../server/env'
import { explainAddress } from '../server/pages/explain-address'
import { createHosts } from '../server/url/hosts'
import { createUrlContext } from '../server/url/url-context'

const root = resolve(__dirname, '..')

/** Folder with compiled content: DATA_DIR if a server keeps it there, else a temporary one. */
function compiledContentFolder({ DATA_DIR, CONTENT_DIR }: Settings): string {
  const existing = openForReading(contentFile(DATA_DIR))
  existing?.close()
  if (existing) return DATA_DIR
  const folder = mkdtempSync(join(tmpdir(), 'explain-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const db = openForWriting(contentFile(folder))
  createCompiler(db, {
    content: CONTENT_DIR,
    locales: join(root, 'locales'),
    public: join(root, 'public'),
    compiler: 'explain',
    routes: 'explain',
  })()
  db.close()
  return folder
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'accept-language': { type: 'string' },
      cookie: { type: 'string' },
      'user-agent': { type: 'string' },
    },
  })
  const [address] = positionals
  if (!address)
    throw new Error(
      'usage: npm run explain -- URL [--accept-language th] [--cookie es] [--user-agent …]',
    )
  const visitor = {
    method: 'GET',
    acceptLanguage: values['accept-language'],
    hasCookies: values.cookie !== undefined,
    cookieLocale: isLocaleCode(values.cookie) ? values.cookie : null,
    fetchSite: undefined,
    referer: undefined,
    userAgent: values['user-agent'],
  }
  return { address, visitor }
}

async function explain(): Promise<void> {
  const { address, visitor } = readArguments()
  const settings = readProcessSettings(root)
  const store = createStore(compiledContentFolder(settings))
  await store.ready(10_000)
  const hosts = createHosts(settings, settings.PORT)
  const urlContext = createUrlContext(store, hosts)
  const services = { hosts, store, settings, urlContext }
  const { host, origin, rules, status, location, route, details } = explainAddress(
    address,
    visitor,
    services,
  )
  console.log(`host     served as the ${host} host, ${origin}`)
  rules.forEach((rule, index) => console.log(`rule ${String(index + 1).padEnd(3)} ${rule}`))
  if (rules.length === 0 && location === '') console.log('rules    none: the address is canonical')
  if (route) console.log(`route    ${route}`)
  for (const detail of details) console.log(detail)
  console.log(`answer   ${status}  ${location}`)
  store.close()
}

explain().catch((error: unknown) => {
  console.error(error instanceof SettingsError || error instanceof Error ? error.message : error)
  process.exitCode = 1
})
