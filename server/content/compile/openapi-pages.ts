import { apiPageId } from '../source-path'
import {
  operationsOf,
  resolveSchema,
  schemaName,
  successOf,
  toAnchor,
  type Operation,
} from './openapi-document'
import { sampleLanguages, samplesOf } from './openapi-samples'
import { isReference, type OpenApi, type Reference, type Schema } from './openapi-schema'

/** The Markdown of a page of the API reference. */
export type ApiPage = { id: string; source: string }
type Field = { name: string; schema: Schema | Reference; isRequired: boolean }

/** The first of the pages in the menu of the documentation; the others follow it. */
const firstPosition = 60

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  rows.length === 0
    ? ''
    : [head, head.map(() => '---'), ...rows]
        .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
        .join('\n')
const paragraphs = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n')
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

/** A schema with fields has a section below the operations; a link leads there. */
const hasSection = (document: OpenApi, schema: Schema | Reference): schema is Reference =>
  isReference(schema) && resolveSchema(document, schema).properties !== undefined
const linkTo = (name: string): string => `[${name}](#schema-${toAnchor(name)})`

function typeOf(document: OpenApi, schema: Schema | Reference): string {
  if (hasSection(document, schema)) return linkTo(schemaName(schema) ?? '')
  const { type, items, format } = resolveSchema(document, schema)
  const names = [type].flat().map((name) => {
    if (name === 'array' && items) return `list of ${typeOf(document, items)}`
    return name === 'string' && format ? `${name} (${format})` : name
  })
  return names.join(' or ')
}

/** What a value may be, in words. */
function limitsOf({ enum: values, default: usual, ...limits }: Schema): string[] {
  const { minimum, maximum, maxLength, pattern } = limits
  return [
    values ? `One of ${values.map((value) => `\`${String(value)}\``).join(', ')}` : '',
    minimum !== undefined && maximum !== undefined ? `From ${minimum} to ${maximum}` : '',
    minimum !== undefined && maximum === undefined ? `At least ${minimum}` : '',
    minimum === undefined && maximum !== undefined ? `At most ${maximum}` : '',
    maxLength === undefined ? '' : `At most ${maxLength} characters`,
    pattern === undefined ? '' : `Form: \`${pattern}\``,
    usual === undefined ? '' : `Default: \`${JSON.stringify(usual)}\``,
  ].filter((part) => part !== '')
}

const meaningOf = (document: OpenApi, schema: Schema | Reference, description = ''): string => {
  const resolved = resolveSchema(document, schema)
  // A schema with a section says its limits there.
  const limits = hasSection(document, schema) ? [] : limitsOf(resolved)
  return [description || (resolved.description ?? ''), ...limits]
    .filter((part) => part !== '')
    .join('. ')
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }))

/** Only fields of a request can be left out; an answer always has all that its schema names. */
const fieldTable = (document: OpenApi, title: string, fields: readonly Field[]): string =>
  table(
    [title, 'Type', 'Meaning'],
    fields.map(({ name, schema, isRequired }) => [
      `\`${name}\`${isRequired ? '' : ' (optional)'}`,
      typeOf(document, schema),
      meaningOf(document, schema),
    ]),
  )

const parameterTable = (document: OpenApi, { parameters }: Operation): string =>
  table(
    ['Parameter', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required, schema, description }) => [
      `\`${name}\` in the ${place}${required ? '' : ' (optional)'}`,
      typeOf(document, schema),
      meaningOf(document, schema, description),
    ]),
  )

function bodyText(document: OpenApi, { requestBody }: Operation): string {
  if (!requestBody) return ''
  const { schema } = requestBody.content['application/json']
  if (hasSection(document, schema)) return `The body is ${typeOf(document, schema)} as JSON.`
  return fieldTable(document, 'Field of the body', fieldsOf(resolveSchema(document, schema)))
}

function answerText(document: OpenApi, operation: Operation): string {
  const success = successOf(operation)
  if (!success) return ''
  const { schema, example } = success.content['application/json']
  const data = resolveSchema(document, schema).properties?.['data']
  const fields = data && !hasSection(document, data) ? fieldsOf(resolveSchema(document, data)) : []
  return paragraphs(
    `Answer, status ${success.status}: ${success.description}${
      data && hasSection(document, data) ? `; \`data\` is ${typeOf(document, data)}` : ''
    }.`,
    json(example),
    fieldTable(document, 'Field of `data`', fields),
  )
}

/** The code of a failure, from its example. */
const codeOf = (example: unknown): string =>
  typeof example === 'object' && example !== null && 'code' in example
    ? `\`${String(example.code)}\``
    : ''

const errorTable = ({ responses }: Operation): string =>
  table(
    ['Error', '`code`', 'Meaning'],
    responses
      .filter(({ status }) => status >= 400)
      .map(({ status, content, description }) => [
        String(status),
        codeOf(content['application/json'].example),
        description,
      ]),
  )

/** Method and path as a client sends them, with the path of the server's address. */
function requestLine(document: OpenApi, { method, path }: Operation): string {
  const { pathname } = new URL(document.servers[0]?.url ?? 'http://localhost')
  return `\`${method.toUpperCase()} ${pathname.replace(/\/$/, '')}${path}\``
}

const operationSection = (document: OpenApi, operation: Operation): string =>
  paragraphs(
    `## ${operation.summary} {#${operation.anchor}}`,
    requestLine(document, operation),
    operation.description?.trim() ?? '',
    parameterTable(document, operation),
    bodyText(document, operation),
    samplesOf(document, operation),
    answerText(document, operation),
    errorTable(operation),
  )

/** Names of the schemas with a section that some parts use, with those that they use in turn. */
function usedSchemas(document: OpenApi, parts: ReadonlyArray<Schema | Reference>): string[] {
  const names = new Set<string>()
  const visit = (schema: Schema | Reference): void => {
    const name = schemaName(schema)
    if (name !== null && names.has(name)) return
    if (name !== null && hasSection(document, schema)) names.add(name)
    const { items, properties = {} } = resolveSchema(document, schema)
    for (const part of [...(items ? [items] : []), ...Object.values(properties)]) visit(part)
  }
  parts.forEach(visit)
  return [...names]
}

function schemaSections(document: OpenApi, operations: readonly Operation[]): string {
  const parts = operations.flatMap((operation) =>
    [operation.requestBody, successOf(operation)].flatMap((part) =>
      part ? [part.content['application/json'].schema] : [],
    ),
  )
  return paragraphs(
    ...usedSchemas(document, parts).map((name) => {
      const schema = document.components.schemas[name]
      const fields = schema ? fieldsOf(schema) : []
      return paragraphs(
        `## Schema: ${name} {#schema-${toAnchor(name)}}`,
        schema?.description ?? '',
        fieldTable(document, 'Field', fields),
      )
    }),
  )
}

/**
 * What people search for: what the page does, and in which language. Front matter takes 300
 * letters.
 */
const keywordsOf = (operations: readonly Operation[]): string =>
  ['API', ...sampleLanguages, ...operations.map(({ summary }) => summary)].join(', ').slice(0, 300)

/** The pages of the API reference: one for each tag, in the order of the file. */
export function apiPages(document: OpenApi): ApiPage[] {
  const all = operationsOf(document)
  const { title, version, description } = document.info
  return document.tags.map((tag, index) => {
    const operations = all.filter(({ tags }) => tags.includes(tag.name))
    const [lead = '', ...rest] = tag.description.trim().split('\n')
    const name = tag.name.replaceAll('-', ' ')
    // JSON is YAML, so no text of the file can end the front matter early.
    const front = {
      title: `API: ${name}`,
      seo_title: `${title} reference: ${name}`,
      seo_keywords: keywordsOf(operations),
      description: lead,
      section: 'api',
      order: firstPosition + index,
      tags: ['local-api'],
    }
    const body = paragraphs(
      rest.join('\n').trim(),
      table(
        ['Request', 'Does'],
        operations.map((operation) => [
          requestLine(document, operation),
          `[${operation.summary}](#${operation.anchor})`,
        ]),
      ),
      `${description.trim()}\n\nThis page describes version ${version}. The whole API as one file, for generators and tools: [openapi.yaml](/openapi.yaml).`,
      ...operations.map((operation) => operationSection(document, operation)),
      schemaSections(document, operations),
    )
    return { id: apiPageId(tag.name), source: `---\n${JSON.stringify(front)}\n---\n\n${body}\n` }
  })
}
