import {
  isReference,
  methods,
  type ApiOperation,
  type Method,
  type OpenApi,
  type Parameter,
  type Reference,
  type Response,
  type Schema,
} from './openapi-schema'

/** An operation with everything it refers to. */
export type Operation = Omit<ApiOperation, 'parameters' | 'responses'> & {
  method: Method
  path: string
  /** `listProfiles` as `list-profiles`. */
  anchor: string
  parameters: Parameter[]
  responses: Array<Response & { status: number }>
}

/** What a reference names, or undefined. */
export function resolveReference(
  { components }: Pick<OpenApi, 'components'>,
  { $ref }: Reference,
): unknown {
  const [, , kind = '', name = ''] = $ref.split('/')
  const parts: Readonly<Record<string, object>> = components
  // The cast: all groups of components are records.
  const group = parts[kind] as Record<string, unknown> | undefined
  return group && Object.hasOwn(group, name) ? group[name] : undefined
}

const resolve = <T extends object>(document: OpenApi, part: T | Reference): T =>
  // The casts: `checkOpenApi` has found each reference, and that it names a part of this type.
  isReference(part) ? (resolveReference(document, part) as T) : part

export const resolveSchema = (document: OpenApi, schema: Schema | Reference): Schema =>
  resolve(document, schema)

/** The name of the schema that a reference names, or null. */
export const schemaName = (schema: Schema | Reference): string | null =>
  isReference(schema) ? (schema.$ref.split('/').at(-1) ?? null) : null

export const toAnchor = (id: string): string =>
  id.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()

/** All operations in the order of the file. */
export const operationsOf = (document: OpenApi): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      return {
        ...operation,
        method,
        path,
        anchor: toAnchor(operation.operationId),
        parameters: parameters.map((parameter) => resolve(document, parameter)),
        responses: Object.entries(operation.responses).map(([status, response]) => ({
          ...resolve(document, response),
          status: Number(status),
        })),
      }
    }),
  )

export const successOf = ({ responses }: Operation): Operation['responses'][number] | undefined =>
  responses.find(({ status }) => status < 300)

/** The address of an operation, with the examples of its parameters. */
export function exampleUrl(document: OpenApi, { path, parameters }: Operation): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)))
    else query.set(name, String(example))
  }
  const base = document.servers[0]?.url.replace(/\/$/, '') ?? ''
  // Samples write the address in quotes; everything else that ends them is encoded already.
  return `${base}${filled}${query.size > 0 ? `?${query.toString()}` : ''}`.replaceAll("'", '%27')
}
