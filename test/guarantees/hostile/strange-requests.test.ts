import { afterEach, beforeAll, expect, it } from 'vitest'
import { attack, type Victim } from '../../support/hostile/victim.ts'

const DATA = { items: [{ id: 1, name: 'a' }] }

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA)
})

afterEach(() => victim.expectUnharmed())

const get = (url: string, ...headers: string[]) =>
  `${[`GET ${url} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`
const post = (body: string, ...headers: string[]) =>
  `${[`POST /items HTTP/1.1`, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`

it.each<[string, string, number]>([
  ['a NUL in the path, encoded', get('/items/%00'), 404],
  ['a NUL in the path, as it is', get('/items/\0'), 400],
  ['control characters, encoded', get('/items/%01%0d%0a%1b%7f'), 404],
  ['a line feed in the path', get('/items/\n1'), 400],
  ['a space in the path', get('/items/ 1'), 400],
  ['UTF-8 as it is', get('/items/é'), 400],
  ['bytes that are no UTF-8', get('/items/\xff\xfe'), 400],
  ['bytes that are no UTF-8, encoded', get('/items/%ff%fe'), 400],
  ['an overlong slash', get('/%c0%af..%c0%afitems'), 400],
  ['half a surrogate', get('/items/%ed%a0%80'), 400],
  ['a % at the end of a query', get('/items?name=%'), 200],
  ['a query that is no UTF-8', get('/items?name=%ff&%ff=1&_sort=%ff'), 200],
  ['a query of nothing but separators', get(`/items?${'&='.repeat(3000)}`), 200],
  ['a fragment', get('/items#<script>'), 200],
  ['a backslash', get('/items\\1'), 404],
  ['a whole URL', get('http://elsewhere/items'), 200],
  ['a path that is a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 204],
  ['a path without its slash', get('items'), 400],
  ['an empty path', get(''), 400],
  ['a path of slashes only', get('/'.repeat(5000)), 404],
  ['a URL of 15 KB', get(`/${'a'.repeat(15_000)}`), 404],
  ['a URL of 17 KB', get(`/${'a'.repeat(17_000)}`), 431],
  ['a URL of 1 MB', get(`/items?${'a'.repeat(1_000_000)}`), 431],
  ['a header of 17 KB', get('/items', `X-Long: ${'a'.repeat(17_000)}`), 431],
  ['10,000 parameters', get(`/items?${'a&'.repeat(10_000)}`), 431],
  ['7,000 parameters', get(`/items?${'a&'.repeat(7000)}`), 200],
  ['1,500 headers', get('/items', ...Array.from({ length: 1500 }, (_, n) => `a${n}: 1`)), 200],
  ['5,000 headers', get('/items', ...Array.from({ length: 5000 }, (_, n) => `a${n}: 1`)), 431],
  ['a header called __proto__', get('/items', '__proto__: x', 'constructor: x'), 200],
  ['a header without a name', get('/items', ': x'), 400],
  ['a header with a NUL', get('/items', 'A: \0'), 400],
  ['a header folded over two lines', get('/items', 'A: b\r\n c'), 400],
  ['a lone line feed for an end of line', 'GET /items HTTP/1.1\nHost: x\n\n', 400],
  ['two Hosts', get('/items', 'Host: y'), 200],
  ['a length that is negative', post('{}', 'Content-Length: -1'), 400],
  ['a length that is not a number', post('{}', 'Content-Length: 0x2'), 400],
  ['a length and chunks', post('0\r\n\r\n', 'Content-Length: 3', 'Transfer-Encoding: chunked'), 400],
  ['chunks that are hidden', post('0\r\n\r\n', 'Transfer-Encoding: chunked, identity'), 400],
  ['a chunk of a size that is none', post('zz\r\n\r\n', 'Transfer-Encoding: chunked'), 400],
  ['a chunk of 2^64 bytes', post('ffffffffffffffff1\r\n', 'Transfer-Encoding: chunked'), 400],
  ['a version that is none', 'GET /items HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['an expectation that nobody meets', post('{}', 'Expect: miracles', 'Content-Length: 2'), 417],
  ['a wish for another protocol', get('/items', 'Upgrade: h2c', 'Connection: Upgrade'), 200],
  ['a condition that is none', get('/items', `If-None-Match: ${'"a",'.repeat(3000)}`), 200],
  ['a range that is none', get('/items', 'Range: bytes=-1-,,,0-'), 200],
  ['an encoding that is none', get('/items', `Accept-Encoding: ${'gzip;q=2,'.repeat(1500)}`), 200],
])('%s is answered, and does no harm', async (_name, sent, status) => {
  const answer = await victim.raw(Buffer.from(sent, 'latin1'))
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  if (status === 400 || status === 431) {
    expect(head).toMatch(/content-type: application\/json/i)
    expect(JSON.parse(body)).toEqual({
      error: expect.any(String),
      message: expect.any(String),
      code: expect.any(String),
    })
  }
})

it('CONNECT opens no tunnel', async () => {
  expect(await victim.raw('CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere\r\n\r\n')).not.toMatch(
    /^HTTP\/1\.1 2/,
  )
})

it('two pipelined requests get two separate responses', async () => {
  const second = get('/items/1')
  const first = post(
    `{}`,
    'Content-Type: application/json',
    'X-HTTP-Method-Override: GET',
    'Content-Length: 2',
  )
  const answer = await victim.raw(first.replace('Connection: close\r\n', '') + second)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toHaveLength(2)
})
