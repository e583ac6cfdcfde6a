import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { dial } from '../../support/http/sockets.ts'

const DATA = { items: [{ id: 1, name: 'a' }], profile: { name: 'p' } }
const BIG = JSON.stringify({ text: 'x'.repeat(10 * 1024 * 1024) })
const THROWS =
  'module.exports = (req, res, next) => { if (req.headers["x-throw"]) throw new Error("secret"); next() }'

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA, { config: { middlewares: ['own.cjs'] }, files: { 'own.cjs': THROWS } })
})

it.each<[string, string, string, string, number, string, Record<string, string>?]>([
  ['an id that is taken', 'POST', '/items', '{"id":1,"name":"b"}', 409, 'DUPLICATE_ID'],
  ['an id that is taken, as text', 'POST', '/items', '{"id":"1"}', 409, 'DUPLICATE_ID'],
  ['a list with one id that is taken', 'POST', '/items', '[{"id":7},{"id":1},{"id":8}]', 409, 'DUPLICATE_ID'],
  ['a list with one id twice', 'POST', '/items', '[{"id":7},{"id":7}]', 409, 'DUPLICATE_ID'],
  ['an id that is an object', 'POST', '/items', '{"id":{"toString":1}}', 400, 'INVALID_BODY'],
  ['JSON that breaks off', 'POST', '/items', '{"name": "b"', 400, 'MALFORMED_JSON'],
  ['JSON that breaks off', 'PUT', '/items/1', '{"name": "b"', 400, 'MALFORMED_JSON'],
  ['JSON that breaks off', 'PATCH', '/items/1', '{"name": "b",}', 400, 'MALFORMED_JSON'],
  ['JSON with a NUL', 'POST', '/items', '{"name": \0}', 400, 'MALFORMED_JSON'],
  ['a text', 'POST', '/items', '"text"', 400, 'INVALID_BODY'],
  ['a number', 'PUT', '/items/1', '7', 400, 'INVALID_BODY'],
  ['null', 'PATCH', '/items/1', 'null', 400, 'INVALID_BODY'],
  ['true', 'POST', '/profile', 'true', 400, 'INVALID_BODY'],
  ['a list for one row', 'PUT', '/items/1', '[{"name":"b"}]', 400, 'INVALID_BODY'],
  ['a list for an object', 'PATCH', '/profile', '[]', 400, 'INVALID_BODY'],
  ['a list of other things', 'POST', '/items', '[{"name":"b"},null]', 400, 'INVALID_BODY'],
  ['a body over 10 MB', 'POST', '/items', BIG, 413, 'BODY_TOO_LARGE'],
  ['a body over 10 MB', 'PUT', '/items/1', BIG, 413, 'BODY_TOO_LARGE'],
  ['no filter', 'DELETE', '/items', '', 400, 'INVALID_QUERY'],
  ['no filter', 'PATCH', '/items', '{"name":"b"}', 400, 'INVALID_QUERY'],
  ['a misspelled filter', 'DELETE', '/items?nmae=a', '', 400, 'INVALID_QUERY'],
  ['a % that encodes nothing', 'GET', '/items/%zz', '', 400, 'MALFORMED_URL'],
  ['a % that encodes nothing', 'DELETE', '/items/%', '', 400, 'MALFORMED_URL'],
  ['half a character', 'GET', '/items/%c3', '', 400, 'MALFORMED_URL'],
  ['what nobody foresaw', 'POST', '/items', '{}', 500, 'INTERNAL_ERROR', { 'x-throw': '1' }],
])(
  '%s in a %s %s is refused in JSON, and nothing of it stays',
  async (_name, method, path, body, status, code, headers) => {
    const answer = await victim.ask(method, path, body || undefined, headers)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), message: expect.any(String), code })
    await victim.expectUnharmed()
  },
)

it.each([
  ['GET', '/nothing'],
  ['GET', '/items/2'],
  ['GET', '/items/1/nothing/1'],
  ['POST', '/nothing'],
  ['POST', '/health/1/items'],
  ['POST', '/profile/1/items'],
  ['PUT', '/items/2'],
  ['PUT', '/items'],
  ['PATCH', '/items/2'],
  ['DELETE', '/items/2'],
  ['DELETE', '/profile'],
  ['POST', '/items/1'],
  ['POST', '/db'],
])('%s %s is 404 {}, and changes nothing', async (method, path) => {
  const answer = await victim.ask(method, path, method === 'GET' ? undefined : { name: 'b' })
  expect([answer.status, answer.body]).toEqual([404, '{}'])
  await victim.expectUnharmed()
})

it.each([
  ['a body that swells to 30 MB', gzipSync(Buffer.alloc(30_000_000, 'x')), 'gzip', 413],
  ['a body that is not compressed as it says', Buffer.from('{"name":"b"}'), 'gzip', 400],
  ['a compression that nobody knows', Buffer.from('{"name":"b"}'), 'lzma', 415],
])('%s is refused, and nothing of it stays', async (_name, body, encoding, status) => {
  const head = [
    'POST /items HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/json',
  ]
  const lines = [...head, `Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`, '', '']
  expect(await victim.raw(Buffer.concat([Buffer.from(lines.join('\r\n')), body]))).toMatch(
    new RegExp(`^HTTP/1\\.1 ${status} `),
  )
  await victim.expectUnharmed()
})

it('an unexpected error is described in the log, but not to the client', async () => {
  expect(victim.process.stderr()).toMatch(/Error: secret\n\s+at /)
})

it('a client that disconnects halfway through its body leaves nothing behind', async () => {
  const socket = await dial(victim.port)
  socket.write(
    'POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":"ha',
  )
  socket.destroy()
  await once(socket, 'close')
  await victim.expectUnharmed()
})
