import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import {
  addressGroup,
  clientAddress,
  parseAddress,
  anonymizeAddress,
} from '../../../server/request/client-address'

const from = (
  peer: string | undefined,
  forwarded?: string,
): Pick<IncomingMessage, 'headers' | 'socket'> =>
  // The only part of a socket that is read.
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: peer } as IncomingMessage['socket'],
  })

describe("the visitor's address", () => {
  it.each<[string, string | undefined, number, string]>([
    ['10.0.0.1', '1.2.3.4', 0, '10.0.0.1'],
    ['10.0.0.1', undefined, 1, '10.0.0.1'],
    ['10.0.0.1', '1.2.3.4', 1, '1.2.3.4'],
    ['10.0.0.1', 'forged, 1.2.3.4', 1, '1.2.3.4'],
    ['10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', 2, '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4', 3, '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4, nonsense', 2, '10.0.0.1'],
    ['10.0.0.1', 'nonsense, 10.0.0.2', 2, '10.0.0.2'],
    ['::ffff:10.0.0.1', undefined, 0, '10.0.0.1'],
    ['::1', '2001:DB8:0:0::1', 1, '2001:db8::1'],
    ['fe80::1%eth0', undefined, 0, 'fe80::1'],
    ['10.0.0.1', '', 1, '10.0.0.1'],
  ])('peer %s, X-Forwarded-For %s, %d trusted: %s', (peer, forwarded, trusted, address) =>
    expect(clientAddress(from(peer, forwarded), trusted)).toBe(address),
  )

  it('is defined even when the peer has disconnected', () =>
    expect(clientAddress(from(undefined), 0)).toBe('0.0.0.0'))
  it.each([
    '',
    'unknown',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x7f000001',
    '2130706433',
    '1.2.3.4/8',
    '[::1',
    ':::',
    '_hidden',
  ])('%s is not an address', (text) => expect(parseAddress(text)).toBeNull())
})

describe('groups and logs', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ])('%s counts as %s', (address, group) => expect(addressGroup(address)).toBe(group))
  it.each([
    ['1.2.3.4', '1.2.3.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['x', ''],
  ])('%s is logged as %s', (address, short) => expect(anonymizeAddress(address)).toBe(short))
})
