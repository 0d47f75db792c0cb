import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { parseOpenApi } from '../../../server/content/compile/check-openapi'
import { operationsOf } from '../../../server/content/compile/openapi-document'
import { apiPages } from '../../../server/content/compile/openapi-pages'
import { samplesOf } from '../../../server/content/compile/openapi-samples'
import type { OpenApi } from '../../../server/content/compile/openapi-schema'
import { root } from '../../../testing/root'

const source = readFileSync(join(root, 'content/api/openapi.yaml'), 'utf8')
function parse(text: string): OpenApi {
  const parsed = parseOpenApi(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}

it('openapi.yaml is valid by the published schema of OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(source)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

describe('a mistake in openapi.yaml is reported with its line', () => {
  it.each([
    ['openapi: 3.1.0', 'openapi: 3.0.3', /^openapi: 3\.1\.0 or a later 3\.1$/],
    ['summary: List profiles', 'sumary: List profiles', /sumary: no such field$/],
    ['summary: List profiles', 'summary: [', /Flow sequence/],
    ['tags: [profiles]', 'tags: [profile]', /tags\.0: profile is not in tags$/],
    ['tags: [profiles]', 'tags: [profiles, client]', /exactly one tag/],
    ['- name: client', '- name: Client', /tags\.5\.name: lower-case letters/],
    ['- name: client', '- name: helper', /tags\.5\.name: no operation has the tag helper$/],
    ['operationId: getProfile', 'operationId: listProfiles', /listProfiles is there twice$/],
    ['schemas/ProfileSummary', 'schemas/Summary', /#\/components\/schemas\/Summary is not in this/],
    ["responses/Done'", "schemas/Profile'", /must begin with #\/components\/responses\/$/],
    ["'#/components/schemas/State'", "'other.yaml#/State'", /a part of this file/],
    [
      'minimum: 1, default',
      'minimun: 1, default',
      /minimun: not a field that the reference shows$/,
    ],
    ['type: integer, minimum: 1', 'type: int, minimum: 1', /schema\.type: a JSON type/],
    ['page: 1\n', 'page: one\n', /example\.data\.page: .*by its schema/],
    ['example: { name: North }', 'example: { title: North }', /example.*by its schema/],
    ['/profiles/{id}:', '/profiles/{profile}:', /\{profile\} needs a required parameter/],
    ["'200':", "'304':", /responses: a status 2xx is missing$/],
    ['- token: []', '- key: []', /key is not in securitySchemes$/],
    ['- name: client', '- name: profiles', /tags\.5\.name: profiles is there twice$/],
  ])('%s → %s', (from, to, reason) => {
    const place = source.indexOf(from)
    expect(place).toBeGreaterThan(0)
    const parsed = parseOpenApi(source.replace(from, to))
    const problems = parsed.ok ? [] : parsed.problems
    expect(problems.map((problem) => problem.reason)).toContainEqual(expect.stringMatching(reason))
    const line = source.slice(0, place).split('\n').length
    expect(
      problems.map((problem) => problem.line).some((given) => Math.abs(given - line) <= 3),
    ).toBe(true)
  })
})

it('a pattern that is no regular expression is reported', () => {
  const parsed = parseOpenApi(source.replace('minLength: 1', 'pattern: "["'))
  expect(parsed).toMatchObject({
    problems: [{ reason: expect.stringMatching(/^components: a schema cannot be used: .*\[/) }],
  })
})

it.each(['en', 'zh'])('the manual (%s) has the same statuses and codes', (locale) => {
  const manual = readFileSync(join(root, `content/docs/local-api/${locale}.md`), 'utf8')
  const inManual = Array.from(manual.matchAll(/^\| (\d{3}) \| (\d{5}) \|/gm), ([, ...row]) =>
    row.join(' '),
  )
  const inFile = operationsOf(parse(source)).flatMap(({ responses }) =>
    responses
      .filter(({ status }) => status >= 400)
      .map(({ status, content }) => {
        const { example } = content['application/json']
        return `${status} ${(example as { code: number }).code}`
      }),
  )
  expect(new Set(inManual)).toEqual(new Set(inFile))
})

it('a failure without a code has an empty cell for it', () => {
  const pages = apiPages(
    parse(
      source
        .replace(
          '    Failure:\n      type: object\n      required: [code, msg, data]\n',
          '    Failure:\n      type: object\n',
        )
        .replace('example: { code: 40400, msg: no such', 'example: { msg: no such'),
    ),
  )
  const text = pages.map((page) => page.source).join('\n')
  expect(text).toMatch(/^\| 404 \| +\| No such profile, proxy or folder \|$/m)
  expect(text).not.toContain('40400')
})

describe('samples', () => {
  const hostile = `It's "$HOME" \`id\` \\ é`
  const document = parse(
    source.replace('example: { name: North }', `example: { name: ${JSON.stringify(hostile)} }`),
  )
  const operation = operationsOf(document).find(({ operationId }) => operationId === 'createFolder')
  const samples = operation ? samplesOf(document, operation) : ''

  it.each([
    ['curl', `-d '{"name":"It'\\''s \\"$HOME\\" \`id\` \\\\ é"}'`],
    ['JavaScript', String.raw`"name": "It's \"$HOME\" ${'`id`'} \\ é"`],
    ['Python', String.raw`body = {"name": "It's \"$HOME\" ${'`id`'} \\ é"}`],
  ])('quote what the shell or a string would change: %s', (_, text) => {
    expect(samples).toContain(text)
  })

  it('write null and true as Python does', () => {
    const all = apiPages(document).map((page) => page.source)
    expect(all.join()).toContain('"proxyId": None')
    expect(all.join()).toContain('"checkBeforeStart": True')
  })
})

it('no text of the file can end the front matter of a page', () => {
  const lead = 'List, read, create, change and delete browser profiles over HTTP'
  const [page] = apiPages(parse(source.replace(lead, '--- "quoted" \'text\' --- #')))
  const [, front = ''] = page?.source.split('\n') ?? []
  expect((JSON.parse(front) as { description: string }).description).toMatch(/^--- "quoted"/)
})
