/** `npm run explain -- URL [--accept-language th] [--cookie es]`: which rules fire for an address, in order, and the answer. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cookies } from '../shared/constants'
import { createCompiler } from '../server/content/compile/compile'
import { contentFile } from '../server/content/data-files'
import { openForReading, openForWriting } from '../server/content/database'
import { createStore } from '../server/content/store/store'
import { processSettings, SettingsError, type Settings } from '../server/env'
import { guards } from '../server/pages/guards'
import { decide } from '../server/url/decide'
import { splitTarget } from '../server/url/decode-path'
import { createHosts } from '../server/url/hosts'
import { createUrlContext } from '../server/url/url-context'

const root = resolve(__dirname, '..')

/** Where compiled content lies: what a server keeps up to date, else compiled here and now. */
function compiledFolder({ DATA_DIR, CONTENT_DIR }: Settings): string {
  const present = openForReading(contentFile(DATA_DIR))
  present?.close()
  if (present) return DATA_DIR
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

async function explain(): Promise<void> {
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
  const settings = processSettings(root)
  const store = createStore(compiledFolder(settings))
  await store.ready(10_000)
  const hosts = createHosts(settings, settings.PORT)

  // The address is cut by hand: parsing it would already apply some of the rules that are to be explained.
  const [, authority = '', target = address] = /^https?:\/\/([^/\\?#]*)(.*)$/i.exec(address) ?? []
  const host = hosts.nameOf(authority)
  const visitor = {
    method: 'GET',
    acceptLanguage: values['accept-language'],
    cookie: values.cookie && `${cookies.locale.name}=${values.cookie}`,
    fetchSite: undefined,
    referer: undefined,
    userAgent: values['user-agent'],
  }
  const { answer } = decide(
    { host, ...splitTarget(target || '/') },
    visitor,
    settings.LOCALE_NEGOTIATION,
    createUrlContext(store, hosts)(),
  )

  console.log(
    `host     ${authority || '(none)'}: served as the ${host} host, ${hosts.origins[host]}`,
  )
  if (answer.kind === 'bad') console.log(`answer   ${answer.status}`)
  else if (answer.kind === 'page') {
    const { match, locale } = answer
    console.log(
      `rules    none: the address is canonical\nlanguage ${locale}\nroute    ${match ? `${match.route.id}  ${match.route.pattern}  ${JSON.stringify(match.params)}` : 'none matches'}`,
    )
    if (!match) console.log('answer   404')
    else if (match.route.guard) {
      const { checks, passes } = guards[match.route.guard]
      const passed = passes({
        params: match.params,
        locale,
        store,
        collection: 'collection' in match.route.load ? match.route.load.collection : null,
      })
      console.log(
        `guard    ${match.route.guard}: ${checks}\nanswer   ${passed ? 'the page' : '404'}`,
      )
    } else console.log('answer   the page, or 404 where its parameters name nothing')
  } else {
    answer.fired.forEach((rule, index) =>
      console.log(`rule ${String(index + 1).padEnd(3)} ${rule}`),
    )
    console.log(`answer   ${answer.kind === 'choose' ? 302 : answer.status}  ${answer.location}`)
  }
  store.close()
}

explain().catch((error: unknown) => {
  console.error(error instanceof SettingsError || error instanceof Error ? error.message : error)
  process.exitCode = 1
})
