import type { Random } from '../faults/random.ts'
import { SECRETS } from './discreet.ts'

/** Generates almost valid requests: with bytes changed, lost, doubled and moved. */
export function makeRequest(random: Random): Buffer {
  const body = random.below(3) === 0 ? '' : makeBody(random)
  const lines = [
    `${random.pick(METHODS)} ${makeUrl(random)} HTTP/1.${random.pick(['1', '1', '1', '0'])}`,
    'Host: x',
  ]
  for (let count = random.below(5); count > 0; count -= 1) lines.push(random.pick(HEADERS))
  if (body !== '') lines.push(random.pick(TYPES), random.pick([length(body), length(body), CHUNKED, '']))
  const isChunked = lines.includes(CHUNKED)
  const sent = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return mutate(Buffer.from(`${lines.filter(Boolean).join('\r\n')}\r\n\r\n${sent}`, 'latin1'), random)
}

const METHODS = [
  'GET',
  'GET',
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PURGE',
  'get',
  'M-SEARCH',
] as const

const PATHS = [
  ...['/items', '/items/1', '/items/2', '/owners/1/items', '/profile', '/db', '/', '/__rules', '/__service'],
  ...[
    '/__snapshots__',
    '/__snapshots__/db-1',
    '/api/items',
    '/find/a',
    '/login',
    '/health-check',
    '/stats',
    '//',
    '/%',
  ],
] as const

const PARTS = [
  ...[
    '_page=1',
    '_limit=2',
    '_start=0',
    '_end=-1',
    '_sort=name',
    '_order=desc',
    '_embed=items',
    '_expand=owner',
  ],
  ...[
    'q=a',
    'name_like=(a%2B)%2B',
    'name_like=[',
    'id=1',
    'id[]=1',
    'id[x]=1',
    'a.b.c=1',
    'callback=f',
    '__proto__[a]=1',
  ],
  ...[
    'name_gte=1',
    'name_ne=a',
    '%',
    '&',
    '=',
    '#',
    '_delay=1',
    '_dependent=items',
    '_page=1e99',
    '_limit=NaN',
  ],
] as const

const HEADERS = [
  ...[
    'Accept: */*',
    'Accept-Encoding: gzip',
    'Origin: http://o',
    'If-None-Match: *',
    'Connection: keep-alive',
  ],
  ...[
    'X-HTTP-Method-Override: DELETE',
    'X-HTTP-Method-Override: TRACE',
    'Expect: 100-continue',
    'Range: bytes=0-1',
  ],
  ...['Authorization: Bearer x', `Authorization: Basic ${'a'.repeat(50)}`, 'X-API-KEY: short', 'Cookie: a=b'],
  ...[
    'Content-Encoding: gzip',
    'Transfer-Encoding: gzip, chunked',
    'Upgrade: websocket',
    'Access-Control-Request-Method: PUT',
  ],
  `X-API-KEY: ${SECRETS.key}`,
] as const

const TYPES = [
  ...['Content-Type: application/json', 'Content-Type: application/json', 'Content-Type: text/plain', ''],
  ...['Content-Type: application/x-www-form-urlencoded', 'Content-Type: application/json; charset=utf-16'],
  ...['Content-Type: multipart/form-data; boundary=x', 'Content-Type: application/vnd.api+json'],
] as const

const BODIES = [
  ...[
    '{"name":"a"}',
    '{"id":1}',
    '{"id":"1"}',
    '[{"name":"a"},{"name":"b"}]',
    '[]',
    '{}',
    'null',
    '"x"',
    '1e999',
  ],
  ...[
    '{"id":1e999}',
    '{"__proto__":{"a":1}}',
    '{"id":{"toString":null}}',
    '{"owner_id":[1]}',
    '{"name":"\\ud800"}',
  ],
  ...[
    '{"email":"a","password":"b"}',
    'name=a&id=9',
    '{"a":{"b":{"c":[[[[]]]]}}}',
    '{"id":-1}',
    '{"id":""}',
    '{"id":0.1}',
  ],
] as const

const CHUNKED = 'Transfer-Encoding: chunked'

function makeBody(random: Random): string {
  return random.below(20) === 0 ? `{"text":"${'x'.repeat(random.below(70_000))}"}` : random.pick(BODIES)
}

function makeUrl(random: Random): string {
  const parts = Array.from({ length: random.below(4) }, () => random.pick(PARTS))
  return `${random.pick(PATHS)}${parts.length > 0 ? '?' : ''}${parts.join('&')}`
}

function length(body: string): string {
  return `Content-Length: ${body.length}`
}

function mutate(bytes: Buffer, random: Random): Buffer {
  let result = bytes
  for (let count = random.below(4); count > 0; count -= 1) {
    const at = random.below(result.length)
    const [before, after] = [result.subarray(0, at), result.subarray(at)]
    switch (random.below(5)) {
      case 0:
        result = Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)])
        break
      case 1:
        result = Buffer.concat([before, after.subarray(random.below(10))])
        break
      case 2:
        result = Buffer.concat([before, after.subarray(0, 20), after])
        break
      case 3:
        result = Buffer.concat([
          before,
          Buffer.from(random.pick(['\r\n', '\0', '%', '\xff', '\n', ' ', '\r\n\r\n'])),
          after,
        ])
        break
      default:
        result = before
    }
  }
  return result
}
