import { exampleUrl, type Operation } from './openapi-document'
import type { OpenApi } from './openapi-schema'

type Request = { method: string; url: string; body: unknown }

/** Inside single quotes a shell leaves every character as it is, except the quote itself. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function curl({ method, url, body }: Request): string {
  const parts = [
    method === 'GET' ? `curl "${url}"` : `curl -X ${method} "${url}"`,
    '-H "Authorization: Bearer $LOCAL_API_TOKEN"',
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${shellQuote(JSON.stringify(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

function javascript({ method, url, body }: Request): string {
  const authorization = 'Authorization: `Bearer ${process.env.LOCAL_API_TOKEN}`'
  const options =
    body === undefined
      ? [`headers: { ${authorization} }`]
      : [
          `headers: {\n    ${authorization},\n    'Content-Type': 'application/json',\n  }`,
          `body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')})`,
        ]
  if (method !== 'GET') options.unshift(`method: '${method}'`)
  return [
    `const response = await fetch('${url}', {`,
    ...options.map((option) => `  ${option},`),
    '})',
    'const { code, msg, data } = await response.json()',
    'if (code !== 0) throw new Error(`${code}: ${msg}`)',
    'console.log(data)',
  ].join('\n')
}

/** A JSON value as Python writes it: strings, numbers and brackets are the same. */
function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const short = `${open}${items.join(', ')}${close}`
  return short.length <= 70 && !short.includes('\n')
    ? short
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}

function python({ method, url, body }: Request): string {
  const authorization = '"Authorization": "Bearer " + os.environ["LOCAL_API_TOKEN"]'
  return [
    'import json, os',
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
    '',
    ...(body === undefined ? [] : [`body = ${pythonLiteral(body)}`]),
    'request = Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(body === undefined
      ? [`    headers={${authorization}},`]
      : [
          '    headers={',
          `        ${authorization},`,
          '        "Content-Type": "application/json",',
          '    },',
          '    data=json.dumps(body).encode(),',
        ]),
    ')',
    'try:',
    '    with urlopen(request) as response:',
    '        print(json.load(response)["data"])',
    'except HTTPError as error:',
    '    raise SystemExit(json.load(error)["msg"])',
  ].join('\n')
}

const languages = [
  { label: 'curl', fence: 'bash', write: curl },
  { label: 'JavaScript', fence: 'js', write: javascript },
  { label: 'Python', fence: 'python', write: python },
]

export const sampleLanguages = languages.map(({ label }) => label)

/**
 * The request of an operation in three languages, in tabs. Each sample is complete: it needs the
 * token in the environment and nothing that has to be installed with npm or pip.
 */
export function samplesOf(document: OpenApi, operation: Operation): string {
  const request = {
    method: operation.method.toUpperCase(),
    url: exampleUrl(document, operation),
    body: operation.requestBody?.content['application/json'].example,
  }
  const tabs = languages.map(
    ({ label, fence, write }) => `== ${label}\n\`\`\`${fence}\n${write(request)}\n\`\`\``,
  )
  return [':::tabs', ...tabs, ':::'].join('\n')
}
