import type { Request } from 'express'

/**
 * The cookies that the pipeline has parsed. A cookie can hold any string, or any JSON value after
 * `j:`, so each reader checks the value that it uses.
 */
export const cookiesOf = (request: Request): Readonly<Record<string, unknown>> =>
  // Express declares it as `any`; cookie-parser always sets an object.
  request.cookies as Readonly<Record<string, unknown>>
