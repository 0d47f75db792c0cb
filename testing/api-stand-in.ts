import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { validatorOf } from '../server/content/compile/check-openapi'
import {
  operationsOf,
  resolveSchema,
  successOf,
  type Operation,
} from '../server/content/compile/openapi-document'
import type { OpenApi, Parameter } from '../server/content/compile/openapi-schema'

export type ApiStandIn = {
  origin: string
  /** Ids of the operations that were asked for. */
  asked: string[]
  stop: () => Promise<void>
}
type Found = { operation: Operation; values: Record<string, string> }
type Request = { method: string; url: URL; body: string }

const basePath = (document: OpenApi): string =>
  new URL(document.servers[0]?.url ?? '').pathname.replace(/\/$/, '')

/** The operation of a request, with the values of its path; null where the document has none. */
export function findOperation(document: OpenApi, method: string, path: string): Found | null {
  for (const operation of operationsOf(document)) {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const match = new RegExp(`^${basePath(document)}${pattern}$`).exec(path)
    if (match && operation.method === method.toLowerCase())
      return { operation, values: { ...match.groups } }
  }
  return null
}

/** A value of a path or query as JSON: everything in an address is text. */
function typed(document: OpenApi, { schema }: Parameter, text: string): unknown {
  const { type } = resolveSchema(document, schema)
  return type === 'integer' || type === 'number' ? Number(text) : text
}

/** What in a request does not fit the document. */
function faultsOf(document: OpenApi, { method, url, body }: Request): string[] {
  const found = findOperation(document, method, url.pathname)
  if (!found) return [`${method} ${url.pathname}: no such operation`]
  const { operation, values } = found
  const faults: string[] = []
  const check = (name: string, schema: Parameter['schema'], value: unknown): void => {
    const { error } = validatorOf(document, schema).safeParse(value)
    for (const issue of error?.issues ?? [])
      faults.push([name, ...issue.path.map(String)].join('.') + `: ${issue.message}`)
  }
  for (const parameter of operation.parameters) {
    const { name, required } = parameter
    const text = parameter.in === 'path' ? values[name] : url.searchParams.get(name)
    if (text !== undefined && text !== null)
      check(name, parameter.schema, typed(document, parameter, text))
    else if (required) faults.push(`${name}: missing`)
  }
  for (const name of url.searchParams.keys())
    if (!operation.parameters.some((one) => one.in === 'query' && one.name === name))
      faults.push(`${name}: no such parameter`)
  if (operation.requestBody)
    check('body', operation.requestBody.content['application/json'].schema, JSON.parse(body))
  else if (body !== '') faults.push('body: not expected')
  return faults
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * A server made from an OpenAPI document: it answers each operation with its example, and checks
 * token, path, query, content type and body first.
 */
export async function startApiStandIn(document: OpenApi, token: string): Promise<ApiStandIn> {
  const asked: string[] = []
  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { method = '', headers } = request
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const body = await bodyOf(request)
    const faults = faultsOf(document, { method, url, body })
    if (headers.authorization !== `Bearer ${token}`) faults.push('the token is not valid')
    if (body !== '' && headers['content-type'] !== 'application/json')
      faults.push('Content-Type: application/json is expected')
    const operation = findOperation(document, method, url.pathname)?.operation
    const success = operation && successOf(operation)
    if (!success || faults.length > 0)
      return { status: 400, body: { code: 40000, msg: faults.join('; '), data: null } }
    asked.push(operation.operationId)
    return { status: success.status, body: success.content['application/json'].example }
  }
  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown) => ({ status: 500, body: { code: 50000, msg: String(error) } }))
      .then(({ status, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(body))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
