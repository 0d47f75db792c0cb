import type { ApiClient } from '../platform/api-client'
import { toRecord } from '../platform/to-record'

/** `kind` of the provider, and the address of its script. */
export type ChatConfiguration = { kind: string; script: string }
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

/** First URL of a snippet of HTML; null unless it is https and ends in .js (spec 7.9). */
function scriptAddress(snippet: string): string | null {
  const [address = ''] = /https?:\/\/[^\s"'<>\\)]+/.exec(snippet.replaceAll('\\/', '/')) ?? []
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'https:' && url.pathname.endsWith('.js') ? url.href : null
}

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
  const script = snippet ? (scriptAddress(snippet) ?? defaultScript) : ''
  if (!isChinese || !snippet) return script ? { kind: toText(chat), script } : null
  // In Chinese a second call chooses between the providers.
  const { type } = await getFields(api, '/api/third/chat/choose', { ip, lang: 'zh' })
  return script ? { kind: toText(type) || toText(chat), script } : null
}
