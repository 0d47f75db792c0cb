/**
 * `npm run explain -- URL [--accept-language th] [--cookie es]`: prints which URL rules apply to an
 * address, in order, and the answer.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLocaleCode } from '../shared/i18n/locales'
import { createCompiler } from '../server/content/compile/compiler'
import { contentFile } from '../server/content/data-files'
import { openForReading, openForWriting } from '../server/content/database'
import { createStore, type ContentStore } from '../server/content/store/store'
import { readProcessSettings, SettingsError, type Settings } from '../server/env'
import { guards } from '../server/pages/guards'
import { decideUrl, type PageDecision } from '../server/url/decide-url'
import { splitTarget } from '../server/url/decode-path'
import { createHosts } from '../server/url/hosts'
import { createUrlContext } from '../server/url/url-context'

const root = resolve(__dirname, '..')

/** Folder with compiled content: DATA_DIR if a server keeps it there, else a temporary one. */
function compiledContentFolder({ DATA_DIR, CONTENT_DIR }: Settings): string {
  const existing = openForReading(contentFile(DATA_DIR))
  existing?.close()
  if (existing) return DATA_DIR
  const folder = mkdtempSync(join(tmpdir(), 'explain-'))
  const db = openForWriting(contentFile(folder))
  createCompiler(db, {
    content: CONTENT_DIR,
    locales: join(root, 'locales'),
    public: join(root, 'public'),
    compiler: 'explain',
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

/** Splits an address without `new URL`, which would already apply some of the rules. */
function splitAddress(address: string): { authority: string; target: string } {
  const [, authority = '', target = address] = /^https?:\/\/([^/\\?#]*)(.*)$/i.exec(address) ?? []
  return { authority, target: target || '/' }
}

function printPage({ match, locale }: PageDecision, store: ContentStore): void {
  console.log('rules    none: the address is canonical')
  console.log(`language ${locale}`)
  if (!match) {
    console.log('route    none matches\nanswer   404')
    return
  }
  const { route, params } = match
  console.log(`route    ${route.id}  ${route.pattern}  ${JSON.stringify(params)}`)
  if (!route.guard) {
    console.log('answer   the page, or 404 if its parameters name nothing')
    return
  }
  const { checks, passes } = guards[route.guard]
  const collection = 'collection' in route.load ? route.load.collection : null
  console.log(`guard    ${route.guard}: ${checks}`)
  console.log(`answer   ${passes({ params, locale, store, collection }) ? 'the page' : '404'}`)
}

async function explain(): Promise<void> {
  const { address, visitor } = readArguments()
  const settings = readProcessSettings(root)
  const store = createStore(compiledContentFolder(settings))
  await store.ready(10_000)
  const hosts = createHosts(settings, settings.PORT)
  const { authority, target } = splitAddress(address)
  const host = hosts.hostNameOf(authority)
  const { decision } = decideUrl(
    { host, ...splitTarget(target) },
    visitor,
    settings.LOCALE_NEGOTIATION,
    createUrlContext(store, hosts)(),
  )

  console.log(
    `host     ${authority || '(none)'}: served as the ${host} host, ${hosts.origins[host]}`,
  )
  if (decision.kind === 'bad') console.log(`answer   ${decision.status}`)
  else if (decision.kind === 'page') printPage(decision, store)
  else {
    decision.appliedRules.forEach((rule, index) =>
      console.log(`rule ${String(index + 1).padEnd(3)} ${rule}`),
    )
    const status = decision.kind === 'locale-redirect' ? 302 : decision.status
    console.log(`answer   ${status}  ${decision.location}`)
  }
  store.close()
}

explain().catch((error: unknown) => {
  console.error(error instanceof SettingsError || error instanceof Error ? error.message : error)
  process.exitCode = 1
})
