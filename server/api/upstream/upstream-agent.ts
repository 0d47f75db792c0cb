import { Agent as HttpAgent, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { upstream } from '../../../shared/constants'

/** A connection that was not there in time; told from other failures by its code. */
export const connectTimeoutCode = 'UPSTREAM_CONNECT_TIMEOUT'

/** Free connections are closed before most servers close them (5 s): a POST on one that is just being closed cannot be repeated. */
const options: AgentOptions = {
  keepAlive: true,
  timeout: 4000,
  maxFreeSockets: 64,
  scheduling: 'lifo',
}

/** Ends a connection that is not established in time, names looked up and keys agreed on. */
function limitConnecting<S extends Duplex | null | undefined>(
  socket: S,
  established: 'connect' | 'secureConnect',
): S {
  if (!socket || !(socket as unknown as Socket).connecting) return socket
  const timer = setTimeout(
    () =>
      socket.destroy(
        Object.assign(new Error('no connection in time'), { code: connectTimeoutCode }),
      ),
    upstream.connectTimeout,
  )
  socket.once(established, () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  return socket
}

/** Keep-alive connections to the upstream. */
export function createUpstreamAgent(secure: boolean): HttpAgent {
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options)
  const create = agent.createConnection.bind(agent)
  agent.createConnection = (to, done) =>
    limitConnecting(create(to, done), secure ? 'secureConnect' : 'connect')
  return agent
}
