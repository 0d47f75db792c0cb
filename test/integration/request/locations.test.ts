import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { callApi } from '../../../testing/call-api'
import { startTestSite, type TestSite } from '../../../testing/site'

const fingerprint = {
  log_type: 'coarse',
  data: '{"platform":"Linux"}',
  base_encode: Buffer.from('{"platform":"Linux"}').toString('base64'),
}
/** Sends a fingerprint from an address, as a proxy in front reports it. */
const sendFrom = async (site: TestSite, from: string, cookie = 'other=1'): Promise<unknown> => {
  const headers = { 'x-forwarded-for': from, cookie }
  return (await callApi(site.port, '/client/record-data/log', { form: fingerprint, headers })).data
}
const whereIs = async (site: TestSite, from: string): Promise<unknown> => {
  const headers = { 'x-forwarded-for': from }
  return (await callApi(site.port, '/sys/config/ip/get-visitor-ip', { headers })).data
}

describe.each([
  ['the built-in table', { GEOIP_DB: '' }],
  ['a city database', {}],
])('with %s', (name, env) => {
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite({ TRUST_PROXY: '1', ...env })
  }, 60_000)
  afterAll(() => site.stop())

  it.each([
    ['a German IPv4 address', '5.9.0.1', false],
    ['a German IPv6 address', '2a01:4f8:c17::1', false],
    ['a mapped German address', '::ffff:5.9.0.1', false],
    ['an American IPv4 address', '8.8.8.8', true],
    ['an American IPv6 address', '2600:1f18::1', true],
    ['an unknown IPv4 address', '192.0.2.1', false],
    ['an unknown IPv6 address', 'fd00::1', false],
    ['a private address', '192.168.1.1', false],
  ])('a visitor from %s (%s) is identified without consent: %s', async (_kind, from, stored) => {
    expect(await sendFrom(site, from)).toEqual({ stored })
  })

  it('a visitor from an unknown country is identified after consent', async () => {
    expect(await sendFrom(site, '192.0.2.1', 'consent=accepted')).toEqual({ stored: true })
  })

  it('get-visitor-ip tells what is known', async () => {
    const isCity = name === 'a city database'
    expect(await whereIs(site, '2a01:4f8:c17::1')).toMatchObject({
      ip: '2a01:4f8:c17::1',
      ip_data: {
        country: 'DE',
        region: isCity ? 'Saxony' : '',
        city: isCity ? 'Falkenstein' : '',
        timezone: isCity ? 'Europe/Berlin' : '',
      },
    })
    expect(await whereIs(site, '192.0.2.1')).toMatchObject({
      ip_data: { country: '', region: '', city: '', timezone: '' },
    })
  })
})

it('a GEOIP_DB that cannot be read ends the start with one line', async () => {
  await expect(startTestSite({ GEOIP_DB: '/none/city.mmdb' })).rejects.toThrow(
    /^the site ended with 1: GEOIP_DB="\/none\/city\.mmdb" is not accepted: [^\n]+\n$/,
  )
})
