import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { toUpstreamHeaders } from '../../../server/api/upstream/request-headers'
import { createHosts } from '../../../server/url/hosts'

const hosts = createHosts(
  {
    SITE_URL_EN: 'https://www.shop.example',
    SITE_URL_ZH: 'https://zh.shop.example',
    SITE_URL_RU: 'http://ru.shop.example:8080',
    ZH_HOSTS: ['shop.cn'],
    RU_HOSTS: [],
  },
  3000,
)
const own = 'www.shop.example'

describe('scheme and host for the upstream', () => {
  it.each([
    [0, 'http', 'zh.shop.example', 'https', own],
    [1, 'http', 'zh.shop.example', 'http', 'zh.shop.example'],
    [1, 'https, http', 'evil.example, zh.shop.example', 'http', 'zh.shop.example'],
    [1, 'https', 'evil.example', 'https', own],
    [1, 'gopher', 'shop.cn, evil.example', 'https', own],
    [1, '', 'SHOP.cn', 'https', 'SHOP.cn'],
    [1, '', 'ru.shop.example:8080', 'https', 'ru.shop.example:8080'],
    [1, '', 'www.shop.example:8443', 'https', own],
    [1, '', `${own}, `, 'https', own],
    [2, 'https, http, https', 'evil.example, shop.cn, inner', 'http', 'shop.cn'],
    [2, 'http', 'shop.cn', 'http', 'shop.cn'],
  ])('with %i trusted proxies, %s and %s become %s and %s', (trustedProxies, ...rest) => {
    const [sentProto, sentHost, proto, host] = rest
    const request = new IncomingMessage(new Socket())
    request.headers = { host: own, 'x-forwarded-proto': sentProto, 'x-forwarded-host': sentHost }
    expect(toUpstreamHeaders(request, {}, hosts, { trustedProxies, bodyBytes: 0 })).toMatchObject({
      'x-forwarded-proto': proto,
      'x-forwarded-host': host,
    })
  })
})
