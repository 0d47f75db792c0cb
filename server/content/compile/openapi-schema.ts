import { z } from 'zod'

/**
 * The parts of OpenAPI 3.1 that the API reference shows (docs/authoring.md). Objects are strict: a
 * misspelled field is an error, and so is a field that the pages would not show.
 */

const text = z.string().trim().min(1)
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

export type Reference = { $ref: string }
const reference = z.strictObject({
  $ref: z.string().regex(/^#\/components\/\w+\/\w+$/, 'a part of this file: #/components/…/…'),
})
export const isReference = (value: object): value is Reference => '$ref' in value

/**
 * A part of a document, or a reference to one. A union would report every mistake as "invalid
 * input" of the whole part; this reports the field.
 */
function orReference<T extends object>(schema: z.ZodType<T>): z.ZodType<T | Reference> {
  // The cast: the check below lets only values of the type through.
  return z.unknown().superRefine((value, context) => {
    const isLink = typeof value === 'object' && value !== null && isReference(value)
    const { error } = (isLink ? reference : schema).safeParse(value)
    for (const { message, path, ...issue } of error?.issues ?? []) {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
      context.addIssue({
        code: 'custom',
        message: unknown.length > 0 ? 'not a field that the reference shows' : message,
        path: [...path, ...unknown],
      })
    }
  }) as unknown as z.ZodType<T | Reference>
}

const typeName = z.enum(['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'])
const value = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** A JSON Schema. */
export type Schema = {
  type: string | string[]
  description?: string | undefined
  format?: string | undefined
  enum?: unknown[] | undefined
  default?: unknown
  pattern?: string | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  items?: Schema | Reference | undefined
  properties?: Record<string, Schema | Reference> | undefined
  required?: string[] | undefined
  additionalProperties?: boolean | undefined
}
const count = z.int().min(0).optional()
const schema: z.ZodType<Schema> = z.lazy(() =>
  z.strictObject({
    type: z.union([typeName, z.array(typeName).min(1)], 'a JSON type, or a list of them'),
    description: text.optional(),
    format: text.optional(),
    enum: z.array(value).min(1).optional(),
    default: value.optional(),
    pattern: text.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    items: orReference(schema).optional(),
    properties: z.record(z.string(), orReference(schema)).optional(),
    required: z.array(text).optional(),
    additionalProperties: z.boolean().optional(),
  }),
)

const example = z.unknown().refine((given) => given !== undefined, 'an example is missing')
const content = z.strictObject({
  'application/json': z.strictObject({ schema: orReference(schema), example }),
})
const parameter = z.strictObject({
  name: z.string().regex(/^\w+$/, 'letters, digits and _'),
  in: z.enum(['path', 'query']),
  required: z.boolean().optional(),
  description: text,
  schema: orReference(schema),
  example: value.optional(),
})
const header = z.strictObject({ description: text, schema: orReference(schema), example: value })
const response = z.strictObject({
  description: text,
  headers: z.record(z.string(), header).optional(),
  content,
})
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][a-zA-Z0-9]*$/, 'a name in camelCase'),
  tags: z.array(text).length(1, 'exactly one tag: its page shows the operation'),
  summary: text,
  description: text.optional(),
  parameters: z.array(orReference(parameter)).optional(),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(
    z.string().regex(/^[2345]\d\d$/, 'a status from 200 to 599, in quotes'),
    orReference(response),
  ),
})
const pathItem = z.strictObject({
  parameters: z.array(orReference(parameter)).optional(),
  // Cast: `Object.fromEntries` does not keep the type of the keys.
  ...(Object.fromEntries(methods.map((method) => [method, operation.optional()])) as Record<
    (typeof methods)[number],
    z.ZodOptional<typeof operation>
  >),
})
const name = z.string().regex(/^\w+$/, 'letters, digits and _')

export const openApiSchema = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/, '3.1.0 or a later 3.1'),
  info: z.strictObject({
    title: text.max(40),
    version: text,
    summary: text.optional(),
    description: text,
  }),
  servers: z
    .array(
      z.strictObject({
        url: z.url({ protocol: /^https?$/, error: 'an http or https address' }),
        description: text.optional(),
      }),
    )
    .length(1),
  security: z.array(z.record(name, z.array(text))).length(1),
  tags: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens')
          .max(60),
        /** Its first paragraph is the description of the page in search results. */
        description: text.refine((all) => (all.split('\n', 1)[0] ?? '').length <= 160, {
          error: 'the first paragraph has at most 160 letters',
        }),
      }),
    )
    .min(1),
  paths: z.record(z.string().regex(/^(?:\/(?:[\w-]+|\{\w+\}))+$/, 'a path as /a/{b}'), pathItem),
  components: z.strictObject({
    securitySchemes: z.record(
      name,
      z.strictObject({
        type: z.literal('http'),
        scheme: z.literal('bearer'),
        description: text.optional(),
      }),
    ),
    parameters: z.record(name, parameter).default({}),
    schemas: z.record(name, schema).default({}),
    responses: z.record(name, response).default({}),
  }),
})

export type OpenApi = z.infer<typeof openApiSchema>
export type Parameter = z.infer<typeof parameter>
export type Response = z.infer<typeof response>
export type ApiOperation = z.infer<typeof operation>
export type Method = (typeof methods)[number]
