import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { SignJWT } from 'jose'
import { createIdentityVerifier } from '../../../server/api/sign-in/identity-verifier'
import { createSignInNonces } from '../../../server/api/sign-in/sign-in-nonces'
import { readSettings } from '../../../server/env'
import { listen } from '../../../server/http/listen'
import { openMemoryDatabase } from '../../../testing/memory-database'
import { root } from '../../../testing/root'

describe('the keys of the identity provider', () => {
  let server: ReturnType<typeof createServer>
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  /** The error of a sign-in whose token is signed with a key that the provider is asked for. */
  async function errorOf(answer: RequestListener): Promise<unknown> {
    server = createServer(answer)
    const port = await listen(server, { port: 0, host: '127.0.0.1' })
    const verify = createIdentityVerifier(
      readSettings({ ID_TOKEN_JWKS_URL: `http://127.0.0.1:${port}/certs` }, root),
    )
    const token = new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: 'a' })
    const { privateKey } = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        hash: 'SHA-256',
        modulusLength: 2048,
        publicExponent: Uint8Array.of(1, 0, 1),
      },
      false,
      ['sign', 'verify'],
    )
    return verify(await token.sign(privateKey)).catch((error: unknown) => error)
  }
  const send =
    (status: number, body: string): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { connection: 'close' }).end(body)
    }

  it.each<[string, RequestListener]>([
    ['the connection breaks', (request) => request.socket.destroy()],
    ['the provider answers with an error', send(500, '{"keys":[]}')],
    ['the answer is not JSON', send(200, '<h1>Sign in to the network</h1>')],
    ['the answer has no list of keys', send(200, '{}')],
  ])('cannot be fetched when %s: the backend has failed, not the visitor', async (_name, answer) =>
    expect(await errorOf(answer)).toMatchObject({ status: 502, error: 'upstreamFailed' }),
  )

  it('that are fetched and lack the key of the token refuse the visitor', async () =>
    expect(await errorOf(send(200, '{"keys":[]}'))).toMatchObject({ status: 401 }))
})

it('nonces can be issued again after the database was unavailable', async () => {
  const database = await openMemoryDatabase()
  let isDown = true
  const nonces = createSignInNonces({
    ...database,
    run: (work) => (isDown ? Promise.reject(new Error('down')) : database.run(work)),
  })
  await expect(nonces.issue()).rejects.toThrow('down')
  isDown = false
  const nonce = await nonces.issue()
  expect([await nonces.consume(nonce), await nonces.consume(nonce)]).toEqual([true, false])
  await database.close()
})
