import { expect, it } from '@jest/globals'
import { decodePath, originOf, splitTarget } from '../../../server/url/decode-path'
import { isPayloadTarget, payloadTarget } from '../../../server/url/payload-target'

it.each([
  ['/_payload.json', { path: '/', query: '', buildId: null }],
  ['/blog/_payload.json', { path: '/blog', query: '', buildId: null }],
  ['/blog/_payload.json?abc', { path: '/blog', query: '', buildId: 'abc' }],
  ['/blog/_payload.json?abc&page=2', { path: '/blog', query: '?page=2', buildId: 'abc' }],
  ['/blog/_payload.json?abc&', { path: '/blog', query: '', buildId: 'abc' }],
  ['/blog/_payload.json?page=2', { path: '/blog', query: '?page=2', buildId: null }],
  ['/blog/_payload.json?page=2&abc', { path: '/blog', query: '?page=2&abc', buildId: null }],
  ['/blog/_payload.json?page=2?abc', { path: '/blog', query: '?page=2?abc', buildId: null }],
  ['/blog/_payload.json?&abc', { path: '/blog', query: '?&abc', buildId: null }],
  ['/Blog/%70/_payload.json', { path: '/Blog/%70', query: '', buildId: null }],
  ['/blog/%5fpayload.json?abc', { path: '/blog', query: '', buildId: 'abc' }],
  ['/%70/%5fpayload.json', { path: '/p', query: '', buildId: null }],
  ['/%zz/_payload.json', { path: '/%zz', query: '', buildId: null }],
  ['/_payload.json/', null],
  ['/blog?/_payload.json', null],
  ['/blog', null],
])('the target %s asks for the payload %j', (target, expected) => {
  expect(payloadTarget(target)).toEqual(expected)
  expect(isPayloadTarget(target)).toBe(expected !== null)
})

it.each([
  ['/a?b=c', '/a', '?b=c'],
  ['/a?b?c#d', '/a', '?b?c'],
  ['/a?', '/a', ''],
  ['/a#?b', '/a', ''],
  ['?b', '/', '?b'],
  ['a', '/a', ''],
  ['\\a', '\\a', ''],
  ['*', '/*', ''],
  ['http://host.example/a?b', '/a', '?b'],
  ['HTTP+x.y-1://host.example\\a', '\\a', ''],
  ['http://host.example?b', '/', '?b'],
  ['/http://host.example/a', '/http://host.example/a', ''],
])('%s has the path %s and the query %j', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})

it.each([
  ['https://host.example:81/a', 'https://host.example:81'],
  ['https://host.example#a', 'https://host.example'],
  ['1http://host.example/', null],
  ['/a', null],
])('%s is absolute with the origin %s', (target, expected) => {
  expect(originOf(target)).toBe(expected)
})

it.each([
  ['/pricing', '/pricing'],
  ['/%41%7E%2d', '/A~-'],
  ['/%2Fa%3f', '/%2Fa%3f'],
  ['/%252e', '/%252e'],
  ['/é 代', '/%C3%A9%20%E4%BB%A3'],
  ['/a<b', '/a<b'],
  ['/%C3%A9', '/%C3%A9'],
  ['/%c3', null],
  ['/%', null],
  ['/\u0085', null],
  ['/%1f', null],
])('%s decodes to %s', (path, expected) => {
  expect(decodePath(path)).toBe(expected)
})
