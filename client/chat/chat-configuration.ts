import type { ApiClient } from '../platform/api-client'
import { toRecord } from '../platform/to-record'
import type { EasemobIds } from './known-widgets'

/** `kind` of the provider, the address of its script, and what a script of Easemob needs. */
export type ChatConfiguration = { kind: string; script: string; easemob: EasemobIds }
export type ConfigurationDeps = {
  api: Pick<ApiClient, 'get'>
  /** ISO tag of the page's language. */
  language: string
  isChinese: boolean
  ip: () => Promise<string>
  /** The visitor with this address gets no chat; empty: no such visitor. */
  skipIp: string
  /** Address of the script that is loaded when the configured one cannot be. */
  defaultScript: string
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * First URL of a snippet of HTML; null unless it is https and ends in .js (spec 7.9). Some
 * providers publish it in quotes and without `https:`.
 */
function scriptAddress(snippet: string): string | null {
  const [found = ''] =
    /(?:https?:|["'])\/\/[^\s"'<>\\)]+/.exec(snippet.replaceAll('\\/', '/')) ?? []
  const address = found.replace(/^["']/, 'https:')
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'https:' && url.pathname.endsWith('.js') ? url.href : null
}

/** Easemob's ids are in the snippet's object literal, or in the query of its script. */
const easemobIds = (snippet: string): EasemobIds =>
  Object.fromEntries(
    Array.from(
      snippet.matchAll(/\b(configId|tenantId)["']?\s*[:=]\s*["']?([\w-]+)/g),
      ([, name = '', id = '']) => [name, id],
    ),
  )

/** The configuration that is used when the configured one, or its script, cannot be loaded. */
export const defaultConfiguration = (kind: string, script: string): ChatConfiguration | null =>
  script ? { kind, script, easemob: easemobIds(script) } : null

/** Fields of an answer. Rejects an answer without data, so that the default script is loaded. */
async function getFields(
  api: ConfigurationDeps['api'],
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const data = (await api.get(path, parameters)) ?? null
  if (data === null) throw new Error('the answer has no data')
  return toRecord(data)
}

/** Null when no chat is configured. Rejects when the configuration cannot be fetched. */
export async function fetchChatConfiguration({
  api,
  language,
  isChinese,
  ip: visitorIp,
  skipIp,
  defaultScript,
}: ConfigurationDeps): Promise<ChatConfiguration | null> {
  const ip = await visitorIp()
  if (skipIp && ip === skipIp) return null
  const { chat, chat_info: chatInfo } = await getFields(api, '/api/sys/config/chat-type', {
    lang: language,
    type: 'www',
  })
  const snippet = toText(toRecord(chatInfo)['js'])
  if (!snippet) return null
  // In Chinese a second call chooses between the providers; `other` leaves the configured one.
  const { type = '' } = isChinese
    ? await getFields(api, '/api/third/chat/choose', { ip, lang: 'zh' })
    : {}
  const kind = type === 'other' || type === '' ? toText(chat) : toText(type)
  const script = scriptAddress(snippet)
  return script
    ? { kind, script, easemob: easemobIds(snippet) }
    : defaultConfiguration(kind, defaultScript)
}
