/**
 * A local identity provider: keys, the JWKS endpoint, identity tokens, and a stand-in for the
 * sign-in script.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { isForThisMachine, isFromThisMachine } from './local-names'

type Person = {
  sub: string
  email: string
  name: string
  picture?: string
  email_verified?: boolean
}
export type IdentityProvider = {
  origin: string
  clientId: string
  /** Settings that make a site trust this provider. */
  settings: Record<string, string>
  /** A signed identity token; `change` overrides claims. */
  token: (
    nonce: string,
    person?: Partial<Person>,
    change?: JWTPayload & { alg?: string },
  ) => Promise<string>
  /** The same claims under the same key id, signed with another key. */
  forgedToken: (nonce: string) => Promise<string>
  /** How often its keys were fetched. */
  fetches: () => number
  /** Stops the endpoints from answering. */
  hang: () => void
  stop: () => Promise<void>
}

const ada: Person = { sub: '100200300', email: 'ada@example.com', name: 'Ada Example' }

/**
 * What a page gets from `GSI_SCRIPT_URL`: `google.accounts.id`, with a dialog in the page instead
 * of the browser's. Its button "Continue" loads a script that contains the token, because the
 * page's content security policy allows scripts of this origin already.
 */
const clientScript = (origin: string): string => `(() => {
  let options = null
  const close = () => document.getElementById('identity-prompt')?.remove()
  const signIn = () => {
    const name = 'identity_' + Math.random().toString(36).slice(2)
    window[name] = (credential) => { delete window[name]; close(); options.callback({ credential, select_by: 'user' }) }
    const script = document.createElement('script')
    script.src = ${JSON.stringify(origin)} + '/token.js?callback=' + name + '&client_id=' + encodeURIComponent(options.client_id) + '&nonce=' + encodeURIComponent(options.nonce || '')
    document.head.append(script)
  }
  window.google = { accounts: { id: {
    initialize(given) { options = given },
    prompt() {
      close()
      const box = document.createElement('div')
      box.id = 'identity-prompt'
      const button = document.createElement('button')
      button.textContent = 'Continue as Ada Example'
      button.onclick = signIn
      box.append(button)
      document.body.append(box)
    },
    cancel: close,
    disableAutoSelect() {},
    renderButton(parent) {
      const button = document.createElement('button')
      button.textContent = 'Sign in'
      button.onclick = signIn
      parent.append(button)
    },
  } } }
})()`

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const clientId = 'local-client.example'
  const [real, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const kid = randomUUID()
  const jwk = { ...(await exportJWK(real.publicKey)), kid, alg: 'RS256', use: 'sig' }
  let fetches = 0
  let hanging = false

  const claimsOf = (nonce: string, person: Partial<Person>): JWTPayload => {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: origin,
      aud: clientId,
      iat: now,
      exp: now + 3600,
      nonce,
      ...ada,
      email_verified: true,
      ...person,
    }
  }
  const token: IdentityProvider['token'] = (nonce, person = {}, change = {}) => {
    const claims = Object.fromEntries(
      Object.entries({ ...claimsOf(nonce, person), ...change }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(real.privateKey)
  }

  const server = createServer((request, response) => {
    if (hanging) return
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider')
    const answer = (type: string, text: string): void =>
      void response.writeHead(200, { 'Content-Type': type }).end(text)
    const isToken = pathname === '/token.js'
    // A token signs in at the development server, so pages of other sites must not get one.
    if (!isForThisMachine(request) || (isToken && !isFromThisMachine(request)))
      return void response.writeHead(403).end()
    if (pathname === '/jwks') {
      fetches += 1
      return answer('application/json', JSON.stringify({ keys: [jwk] }))
    }
    if (pathname === '/client.js') return answer('text/javascript', clientScript(origin))
    const callback = searchParams.get('callback') ?? ''
    if (isToken && /^identity_\w+$/.test(callback) && searchParams.get('client_id') === clientId) {
      return void token(searchParams.get('nonce') ?? '').then((text) =>
        answer('text/javascript', `${callback}(${JSON.stringify(text)})`),
      )
    }
    response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    clientId,
    token,
    settings: {
      GOOGLE_CLIENT_ID: clientId,
      ID_TOKEN_ISSUER: origin,
      ID_TOKEN_JWKS_URL: `${origin}/jwks`,
      GSI_SCRIPT_URL: `${origin}/client.js`,
    },
    forgedToken: (nonce) =>
      new SignJWT(claimsOf(nonce, {}))
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(other.privateKey),
    fetches: () => fetches,
    hang: () => void (hanging = true),
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
