import { z } from 'zod'
import { parseYaml, type Parsed } from './front-matter'
import { operationsOf, resolveReference, successOf, type Operation } from './openapi-document'
import {
  isReference,
  openApiSchema,
  type OpenApi,
  type Reference,
  type Schema,
} from './openapi-schema'

type Path = readonly PropertyKey[]
type Report = (path: Path, message: string) => void

/** A validator of a JSON Schema of the document. */
export function validatorOf(document: OpenApi, schema: Schema | Reference): z.ZodType {
  const definitions = { ...schema, $defs: document.components.schemas }
  const json = JSON.stringify(definitions).replaceAll('#/components/schemas/', '#/$defs/')
  // The cast: the document's own schema allows keywords of JSON Schema only.
  return z.fromJSONSchema(JSON.parse(json) as Parameters<typeof z.fromJSONSchema>[0])
}

/** Which group of components a reference at a path may name. */
function groupAt(path: Path): 'parameters' | 'responses' | 'schemas' {
  const parent = path.at(-2)
  const isPart = path[0] === 'paths' && path.length <= 5
  return isPart && (parent === 'parameters' || parent === 'responses') ? parent : 'schemas'
}

/** Every reference names a part of the right kind. Examples are data, not parts. */
function checkReferences(document: OpenApi, value: unknown, path: Path, report: Report): void {
  if (typeof value !== 'object' || value === null) return
  if (isReference(value)) {
    const group = groupAt(path)
    if (!value.$ref.startsWith(`#/components/${group}/`))
      report([...path, '$ref'], `must begin with #/components/${group}/`)
    else if (resolveReference(document, value) === undefined)
      report([...path, '$ref'], `${value.$ref} is not in this file`)
    return
  }
  for (const [key, part] of Object.entries(value))
    if (key !== 'example')
      checkReferences(document, part, [...path, Array.isArray(value) ? Number(key) : key], report)
}

function checkTags(document: OpenApi, operations: readonly Operation[], report: Report): void {
  for (const [index, { name }] of document.tags.entries()) {
    if (document.tags.findIndex((tag) => tag.name === name) < index)
      report(['tags', index, 'name'], `${name} is there twice`)
    if (!operations.some(({ tags }) => tags.includes(name)))
      report(['tags', index, 'name'], `no operation has the tag ${name}`)
  }
  const anchors = new Set<string>()
  for (const { method, path, tags, operationId, anchor } of operations) {
    const place = ['paths', path, method]
    for (const tag of tags)
      if (!document.tags.some(({ name }) => name === tag))
        report([...place, 'tags', 0], `${tag} is not in tags`)
    if (anchors.has(anchor)) report([...place, 'operationId'], `${operationId} is there twice`)
    anchors.add(anchor)
  }
}

function checkParameters({ method, path, parameters }: Operation, report: Report): void {
  const place = ['paths', path, method]
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  for (const name of names) {
    const found = parameters.find((one) => one.in === 'path' && one.name === name)
    if (!found?.required) report(place, `{${name}} needs a required parameter in: path`)
    else if (found.example === undefined) report(place, `{${name}} needs an example`)
  }
  for (const { name, in: kind } of parameters)
    if (kind === 'path' && !names.includes(name)) report(place, `the path has no {${name}}`)
}

/** Examples become the samples and answers of the pages, so each has to fit its schema. */
function checkExamples(document: OpenApi, report: Report): void {
  const check = (schema: Schema | Reference, example: unknown, path: Path): void => {
    const { error } = validatorOf(document, schema).safeParse(example)
    const [issue] = error?.issues ?? []
    if (issue) report([...path, ...issue.path], `${issue.message} (by its schema)`)
  }
  const visit = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null) return
    if ('schema' in value && 'example' in value)
      // The cast: the document's schema has a JSON Schema under this name everywhere.
      check(value.schema as Schema | Reference, value.example, [...path, 'example'])
    else
      for (const [key, part] of Object.entries(value))
        visit(part, [...path, Array.isArray(value) ? Number(key) : key])
  }
  visit(document.paths, ['paths'])
  visit(document.components.parameters, ['components', 'parameters'])
  visit(document.components.responses, ['components', 'responses'])
}

/** What a schema cannot see, because it concerns several parts of the file. */
function checkOpenApi(document: OpenApi, report: Report): void {
  const broken: Array<Parameters<Report>> = []
  checkReferences(document, document, [], (...problem) => broken.push(problem))
  for (const problem of broken) report(...problem)
  // Everything else follows references.
  if (broken.length > 0) return
  for (const name of document.security.flatMap((scheme) => Object.keys(scheme)))
    if (!Object.hasOwn(document.components.securitySchemes, name))
      report(['security', 0, name], `${name} is not in securitySchemes`)
  const operations = operationsOf(document)
  checkTags(document, operations, report)
  for (const operation of operations) {
    checkParameters(operation, report)
    if (!successOf(operation))
      report(['paths', operation.path, operation.method, 'responses'], 'a status 2xx is missing')
  }
  try {
    checkExamples(document, report)
  } catch (error) {
    // For example a pattern that is not a regular expression.
    report(
      ['components'],
      `a schema cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Parses and checks `openapi.yaml`. Every problem has its line. */
export const parseOpenApi = (source: string): Parsed<OpenApi> =>
  parseYaml(
    source,
    openApiSchema.superRefine((document, context) =>
      checkOpenApi(document, (path, message) =>
        context.addIssue({ code: 'custom', path: [...path], message }),
      ),
    ),
  )
