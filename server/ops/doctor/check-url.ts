import { causeOf, problem, type Finding } from './finding'

const timeoutMs = 3500

type ServiceResponse = { status: number; ok: boolean; body: unknown }

/** The field of a JSON object; undefined if the body is something else. */
export const fieldOf = (body: unknown, name: string): unknown =>
  body !== null && typeof body === 'object' ? Reflect.get(body, name) : undefined

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Requests a URL and judges the response; a service that does not answer is a problem. */
export async function checkUrl(
  { topic, clockName, url, fix }: { topic: string; clockName: string; url: string; fix: string },
  judge: (response: ServiceResponse) => Finding,
): Promise<Finding> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    })
    const { status, ok: isOk, headers } = response
    const finding = judge({ status, ok: isOk, body: parseJson(await response.text()) })
    const offsetMs = Date.parse(headers.get('date') ?? '') - Date.now()
    return Number.isNaN(offsetMs) ? finding : { ...finding, clock: { name: clockName, offsetMs } }
  } catch (error) {
    return problem(topic, `${new URL(url).origin} does not answer (${causeOf(error)})`, fix)
  }
}
