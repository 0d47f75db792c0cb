import type { IncomingMessage } from 'node:http'
import type { Site } from '../site'

/** One operator's call below `/_ops`: what it answers goes out as data of the envelope; with `type`, as a text of that content type. */
export type OpsCall = { method: 'GET' | 'POST'; path: string; type?: string; make: (site: Site) => (request: IncomingMessage) => unknown }
