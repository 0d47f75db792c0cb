import type { OpsServices } from './ops-services'
import type { IncomingMessage } from 'node:http'

/** An answer of an operator's call that is no envelope: a page, a file. */
export class PlainAnswer {
  constructor(
    readonly type: string,
    readonly body: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** One operator's call below `/_ops`: what it answers goes out as data of the envelope, unless it is a `PlainAnswer`. */
export type OpsCall = {
  method: 'GET' | 'POST'
  path: string
  /**
   * Opened by a person in a browser: the basic login with the token as password serves too. Only for calls that change nothing: a browser
   * sends such a login by itself, also when another site asked for it.
   */
  login?: true
  make: (site: OpsServices) => (request: IncomingMessage) => unknown
}
