import { Agent as HttpAgent, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { upstream } from '../../../shared/constants'

/** Error code of a connection that was not established in time. */
export const connectTimeoutCode = 'UPSTREAM_CONNECT_TIMEOUT'

/**
 * Idle connections are closed after 4 s, before most servers close them (5 s): a POST on a
 * connection that the server is just closing fails and cannot be repeated.
 */
const options: AgentOptions = {
  keepAlive: true,
  timeout: 4000,
  maxFreeSockets: 64,
  scheduling: 'lifo',
}

/** An agent that keeps connections to the upstream alive and limits the time to establish one. */
export function createUpstreamAgent(secure: boolean): HttpAgent {
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options)
  const createConnection = agent.createConnection.bind(agent)
  agent.createConnection = (connectOptions, callback) => {
    const socket = createConnection(connectOptions, callback)
    limitConnectTime(socket, secure ? 'secureConnect' : 'connect')
    return socket
  }
  return agent
}

/** The time includes the name lookup and, for TLS, the handshake. */
function limitConnectTime(
  socket: Duplex | null | undefined,
  established: 'connect' | 'secureConnect',
): void {
  if (!(socket instanceof Socket) || !socket.connecting) return
  const timer = setTimeout(() => {
    const error = new Error('the upstream did not accept a connection in time')
    socket.destroy(Object.assign(error, { code: connectTimeoutCode }))
  }, upstream.connectTimeoutMs)
  socket.once(established, () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}
