import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import querystring from 'node:querystring'
import { deflateSync, gzipSync } from 'node:zlib'
import type express from 'express'
import { describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { bodyParser, createBodyParser } from '../../../src/core/layers/body-parser.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { type Echo, echo } from '../../support/http/echo.ts'
import { exchange } from '../../support/http/exchange.ts'
import { expressVersions } from '../../support/http/guarded.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const quiet = () => {}

type Headers = Record<string, string>

function send({ port }: Echo, body: string, type?: string, method = 'POST', more: Headers = {}) {
  return exchange(port, {
    method,
    path: '/',
    body,
    headers: { ...(type && { 'content-type': type }), ...more },
  })
}

const LONG = Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id}` }))

function manyKeys(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])))
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

describe.each(expressVersions)('bodyParser in %s', (_, make) => {
  it.each([
    ['JSON', JSON_TYPE, '{"a":1}', { a: 1 }],
    ['JSON with a charset', `${JSON_TYPE}; charset=utf-8`, '{"a":"é"}', { a: 'é' }],
    ['JSON in capitals', 'Application/JSON', '[1]', [1]],
    ['JSON behind a byte order mark', JSON_TYPE, '\ufeff{"a":1}', { a: 1 }],
    ['JSON:API', 'application/vnd.api+json', '{"a":1}', { a: 1 }],
    ['a list', JSON_TYPE, ' [{"a":1}]', [{ a: 1 }]],
    ['an empty body', JSON_TYPE, '', {}],
    ['white space', JSON_TYPE, ' \n', {}],
    ['100 levels', JSON_TYPE, nested(100), JSON.parse(nested(100))],
    ['brackets in strings', JSON_TYPE, `{"a":"${'['.repeat(200)}\\\\\\"${'{'.repeat(200)}"}`, undefined],
    ['a form', FORM, 'a=1&b=x+y%26z', { a: '1', b: 'x y&z' }],
    ['a form with a repeated field', FORM, 'a=1&a=2', { a: ['1', '2'] }],
    ['a form with brackets', FORM, '[0]=a&b[c]=d', { '[0]': 'a', 'b[c]': 'd' }],
    ['JSON as curl -d sends it', FORM, '{"a":1}', { a: 1 }],
    ['JSON with the marks of a form', FORM, '{"a":"x=1&y=2+3%20%zz"}', { a: 'x=1&y=2+3%20%zz' }],
    ['a JSON list as a form', FORM, '[{"a":"b=c"}]', [{ a: 'b=c' }]],
    ['JSON as fetch sends it', 'text/plain;charset=UTF-8', '\n{"a":1}', { a: 1 }],
    ['JSON without a type', undefined, '{"a":1}', { a: 1 }],
    ['nothing as text', 'text/plain', '', {}],
    ['numbers that overflow', JSON_TYPE, `[1${'0'.repeat(250)}e99,{"a":-1E0999}]`, [null, { a: null }]],
    ['numbers of 309 digits', JSON_TYPE, `[${'9'.repeat(309)},-1${'0'.repeat(308)}.5]`, [null, -1e308]],
    ['a long list', JSON_TYPE, JSON.stringify(LONG), LONG],
    ['50,000 keys', JSON_TYPE, manyKeys(50_000), undefined],
    ['a form of nothing', FORM, '&&&', {}],
    ['a form with names of all objects', FORM, '__proto__=1&toString=%zz', undefined],
  ])('reads %s', async (_case, type, body, wanted) => {
    const served = await echo([createBodyParser({ log: quiet })], make)
    expect((await send(served, body, type)).status).toBe(200)
    const expected = wanted ?? (type === FORM ? querystring.parse(body) : JSON.parse(body))
    expect(Object.entries(Object(served.seen[0]?.body))).toEqual(Object.entries(expected))
  })

  it.each([
    ['a missing value', JSON_TYPE, '{\n  "a": }', 400, 'MALFORMED_JSON', 'line 2, column 8'],
    ['an early end', JSON_TYPE, '{"a":1', 400, 'MALFORMED_JSON', 'line 1, column 7'],
    ['something behind the end', JSON_TYPE, '{} x', 400, 'MALFORMED_JSON', 'column 4'],
    ['a bare word', JSON_TYPE, 'hello', 400, 'MALFORMED_JSON', 'column 1'],
    ['broken JSON as a form', FORM, '{"a":1', 400, 'MALFORMED_JSON', 'column 7'],
    ['broken JSON as text', 'text/plain', '[1,', 400, 'MALFORMED_JSON', 'column 4'],
    ['a string', JSON_TYPE, '"x"', 400, 'INVALID_BODY', 'object'],
    ['a number', JSON_TYPE, '1', 400, 'INVALID_BODY', 'object'],
    ['null', JSON_TYPE, 'null', 400, 'INVALID_BODY', 'object'],
    ['true', JSON_TYPE, 'true', 400, 'INVALID_BODY', 'object'],
    ['text that is not JSON', 'text/plain', 'hello', 400, 'INVALID_BODY', 'application/json'],
    ['no type and no JSON', undefined, 'a=1', 400, 'INVALID_BODY', 'application/json'],
    ['101 levels', JSON_TYPE, nested(101), 400, 'INVALID_BODY', '100 levels'],
    ['101 levels as text', 'text/plain', nested(101), 400, 'INVALID_BODY', '100 levels'],
    ['100,000 levels', JSON_TYPE, nested(100_000), 400, 'INVALID_BODY', '100 levels'],
    ['a million open brackets', JSON_TYPE, '{"a":'.repeat(1_000_000), 400, 'INVALID_BODY', '100 levels'],
    ['50,001 keys', JSON_TYPE, manyKeys(50_001), 400, 'INVALID_BODY', '50,000 keys'],
    [
      'millions of values',
      JSON_TYPE,
      `[${'1,'.repeat(2_000_001)}1]`,
      400,
      'INVALID_BODY',
      '2,000,000 values',
    ],
    ['much on deep levels', JSON_TYPE, `[${`${nested(90)},`.repeat(5000)}1]`, 400, 'INVALID_BODY', 'flatter'],
    [
      'a fault far behind',
      JSON_TYPE,
      `${JSON.stringify(LONG)},`,
      400,
      'MALFORMED_JSON',
      'the end of the text',
    ],
    ['more than 10 MB', JSON_TYPE, `["${'x'.repeat(10 * 1024 * 1024)}"]`, 413, 'BODY_TOO_LARGE', '10 MB'],
    ['1001 fields', FORM, 'a=1&'.repeat(1001), 413, 'BODY_TOO_LARGE', '1000 fields'],
    ['an unknown charset', `${JSON_TYPE}; charset=x-klingon`, '{}', 415, 'INVALID_BODY', 'UTF-8'],
    ['a charset that only starts well', `${JSON_TYPE}; charset=utf-99`, '{}', 415, 'INVALID_BODY', 'UTF-8'],
  ])('refuses %s', async (_case, type, body, status, code, message) => {
    const served = await echo([createBodyParser({ log: quiet })], make)
    const start = cpuTime()
    const answer = await send(served, body, type)
    expect(cpuTime() - start).toBeLessThan(2_000)

    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toMatch('application/json')
    const refusal = JSON.parse(answer.body)
    expect(Object.keys(refusal)).toEqual(['error', 'message', 'code'])
    expect(refusal.code).toBe(code)
    expect(refusal.message).toContain(message)
    expect(served.seen).toEqual([])
  })

  it.each([
    ['GET', '{broken'],
    ['DELETE', '{broken'],
    ['DELETE', '"x"'],
    ['DELETE', nested(101)],
  ])('lets a %s with the useless body %s through', async (method, body) => {
    const served = await echo([createBodyParser()], make)
    expect((await send(served, body, JSON_TYPE, method)).status).toBe(200)
    expect(served.seen[0]?.body).toEqual({})
  })

  it('passes on a valid body of a DELETE', async () => {
    const served = await echo([createBodyParser()], make)
    await send(served, '{"reason":"old"}', JSON_TYPE, 'DELETE')
    expect(served.seen[0]?.body).toEqual({ reason: 'old' })
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'gives {} to a %s without a body',
    async (method) => {
      const served = await echo([createBodyParser()], make)
      await exchange(served.port, { method, path: '/' })
      expect(served.seen[0]?.body).toEqual({})
    },
  )

  it.each([
    ['itself', [...bodyParser, ...bodyParser], JSON_TYPE, { a: 1 }],
    ["the app's own JSON parser", [make.json(), ...bodyParser], JSON_TYPE, { a: 1 }],
    ["the app's own text parser", [make.text(), ...bodyParser], 'text/plain', '{"a":1}'],
    [
      "the app's own parser that did not care",
      [make.json(), createBodyParser({ log: quiet })],
      'text/plain',
      { a: 1 },
    ],
  ])('is harmless after %s', async (_case, layers, type, wanted) => {
    const served = await echo(layers, make)
    await send(served, '{"a":1}', type)
    expect(served.seen[0]?.body).toEqual(wanted)
  })

  it('leaves a body that a handler has put there', async () => {
    const assign: express.RequestHandler = (req, _res, next) => {
      req.body = { mine: true }
      next()
    }
    const served = await echo([assign, ...bodyParser], make)
    await send(served, '{"a":1}', JSON_TYPE)
    expect(served.seen[0]?.body).toEqual({ mine: true })
  })

  it.each(expressVersions)(
    'leaves nothing to read for the parsers of %s behind it',
    async (_, { json, urlencoded }) => {
      const served = await echo([...bodyParser, json(), urlencoded({ extended: false })], make)
      await send(served, '{"a":1}', JSON_TYPE)
      expect(served.seen[0]?.body).toEqual({ a: 1 })
    },
  )

  it('leaves other types unread for other parsers', async () => {
    const served = await echo([...bodyParser, make.raw({ type: 'image/png' })], make)
    await send(served, 'png', 'image/png')
    expect(served.seen[0]?.body).toEqual(Buffer.from('png'))
  })

  const multipart = 'multipart/form-data; boundary=x'
  const form = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'

  it.each([
    ['POST', multipart, form],
    ['PUT', 'text/html', '<p>'],
    ['PATCH', 'application/xml', '<a/>'],
    ['POST', 'application/octet-stream', '\0\u0001'],
    ['PUT', 'image/png; charset=x-klingon', 'png'],
  ])('refuses a %s of %s that nothing behind it could read', async (method, type, body) => {
    const served = await echo([createBodyParser({ isLast: true })], make)
    const answer = await send(served, body, type, method)
    expect(answer.status).toBe(415)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'INVALID_BODY' })
    expect(served.seen).toEqual([])
  })

  it('as the last parser reads JSON under any type, with one warning, and an empty body as nothing', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const served = await echo([createBodyParser({ log, isLast: true })], make)
    for (const type of ['application/octet-stream', 'text/html', multipart]) {
      expect((await send(served, ' {"a":1}', type)).status).toBe(200)
    }
    expect((await send(served, ' ', 'application/xml')).status).toBe(200)
    expect((await send(served, '<a/>', 'application/xml', 'DELETE')).status).toBe(200)
    expect(served.seen.map(({ body }) => body)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }, {}, {}])
    expect(lines).toHaveLength(1)
  })

  it('as the last parser leaves what another one has read', async () => {
    const served = await echo(
      [...bodyParser, make.raw({ type: 'image/png' }), createBodyParser({ isLast: true })],
      make,
    )
    expect((await send(served, 'png', 'image/png')).status).toBe(200)
    expect(served.seen[0]?.body).toEqual(Buffer.from('png'))
  })

  it('is what app.use() takes', async () => {
    const app = make()
    app.use(bodyParser)
    const served = await echo([app], make)
    await send(served, '{"a":1}', JSON_TYPE)
    expect(served.seen[0]?.body).toEqual({ a: 1 })
  })
})

describe('bodyParser', () => {
  it.each([JSON_TYPE, FORM])('keeps __proto__ in %s as plain data', async (type) => {
    const served = await echo([createBodyParser({ log: quiet })])
    await send(served, type === FORM ? '__proto__=x&constructor=y' : '{"__proto__":{"polluted":1}}', type)

    const body = Object(served.seen[0]?.body)
    expect(Object.hasOwn(body, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('warns once per wrong content type of JSON', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const served = await echo([createBodyParser({ log })])
    for (const type of [
      'text/plain',
      'text/plain; charset=utf-8',
      FORM,
      FORM,
      undefined,
      undefined,
      JSON_TYPE,
    ]) {
      await send(served, '{"secret":"s3cret"}', type)
    }
    await send(served, 'a=1', FORM)

    const told = lines.join('\n')
    expect(lines).toHaveLength(3)
    for (const part of ['text/plain', FORM, 'without a Content-Type']) expect(told).toContain(part)
    expect(lines).not.toContain('s3cret')
  })

  it.each([
    ['gzip', gzipSync('{"a":1}'), 200],
    ['deflate', deflateSync('{"a":1}'), 200],
    ['gzip', Buffer.from('{"a":1}'), 400],
    ['gzip', gzipSync('{"a":1}').subarray(0, 12), 400],
    ['compress', Buffer.from('{"a":1}'), 415],
    ['gzip', gzipSync(`["${' '.repeat(11 * 1024 * 1024)}"]`), 413],
  ])('answers a body in %s (%#) with %3$i', async (encoding, bytes, status) => {
    const served = await echo([createBodyParser()])
    const outgoing = request({
      host: '127.0.0.1',
      port: served.port,
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, 'content-encoding': encoding, 'content-length': bytes.length },
    })
    outgoing.end(bytes)
    const [incoming] = await once(outgoing, 'response')
    incoming.resume()

    expect(incoming.statusCode).toBe(status)
    expect(served.seen.map(({ body }) => body)).toEqual(status === 200 ? [{ a: 1 }] : [])
  })

  it('reaches no handler when the client leaves halfway', async () => {
    const served = await echo([createBodyParser()])
    const socket = connect(served.port, '127.0.0.1')
    socket.end(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
    )
    await once(socket.resume(), 'close')
    expect(served.seen).toEqual([])
  })

  it.each([
    ['small', 10],
    ['large', 100_000],
  ] as const)('goes on in the context of the request: a %s body', async (_case, length) => {
    const context = new AsyncLocalStorage<string>()
    const found: unknown[] = []
    const served = await echo([
      (_req: unknown, _res: unknown, next: () => void) => context.run('ours', next),
      createBodyParser(),
      (_req: unknown, _res: unknown, next: () => void) => {
        found.push(context.getStore())
        next()
      },
    ])
    const body = JSON.stringify({ text: 'x'.repeat(length) })
    await send(served, body, JSON_TYPE)
    expect(found).toEqual(['ours'])
    expect(served.seen[0]?.body).toEqual(JSON.parse(body))
  })

  it('reads a body that arrives in small pieces', async () => {
    const served = await echo([createBodyParser()])
    const body = JSON.stringify({ text: 'é'.repeat(20) })
    const length = Buffer.byteLength(body)
    const socket = connect(served.port, '127.0.0.1').setNoDelay()
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    )
    for (const byte of Buffer.from(body)) {
      socket.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
    await once(socket, 'data')
    socket.destroy()
    expect(served.seen[0]?.body).toEqual(JSON.parse(body))
  })

  it('refuses a body stream that was set to an encoding, in however many pieces it arrives', async () => {
    const served = await echo([
      (req: express.Request, _res: unknown, next: () => void) => {
        req.setEncoding('utf8')
        next()
      },
      createBodyParser(),
    ])
    const outgoing = request({
      host: '127.0.0.1',
      port: served.port,
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, 'content-length': 7 },
    })
    // Before all of it has come: it makes no difference.
    outgoing.write('{"a"')
    const [incoming] = await once(outgoing, 'response')
    outgoing.end(':1}')
    incoming.resume()
    expect(incoming.statusCode).toBe(400)
  })

  it('does not wait for a client that has already left', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const answers: express.Response[] = []
    const served = await echo([
      (req: express.Request, res: express.Response, next: () => void) => {
        answers.push(res)
        req.once('close', next)
        arrive()
      },
      createBodyParser(),
    ])
    const socket = connect(served.port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n')
    await arrived
    socket.destroy()
    await vi.waitFor(() => expect(answers[0]?.statusCode).toBe(400))
    expect(served.seen).toEqual([])
  })

  it('reads a chunked body', async () => {
    const served = await echo([createBodyParser()])
    const outgoing = request({
      host: '127.0.0.1',
      port: served.port,
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
    })
    outgoing.write('{"a"')
    outgoing.end(':1}')
    const [incoming] = await once(outgoing, 'response')
    incoming.resume()
    expect(served.seen[0]?.body).toEqual({ a: 1 })
  })

  it('refuses invalid options', () => {
    expect(() => Reflect.apply(createBodyParser, undefined, [{ limit: 1 }])).toThrow(ConfigError)
    expect(() => Reflect.apply(createBodyParser, undefined, [{ log: 1 }])).toThrow(ConfigError)
  })
})
