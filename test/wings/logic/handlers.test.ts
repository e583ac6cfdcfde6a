import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { define, type Logic, open, type Row, refuse } from '../../../src/index.ts'
import type { Db } from '../../../src/wings/logic/define.ts'
import { fileOf, folderOf } from '../../support/folder.ts'
import { withLogic } from './support.ts'

interface Api {
  orders: { row: { id: number; status: string }; new: { id?: number; status: string }; kind: 'collection' }
  payments: {
    row: { id: number; orderId: number }
    new: { id?: number; orderId: number }
    kind: 'collection'
  }
  shop: { row: { open: boolean }; new: { open: boolean }; kind: 'object' }
}

const DATA = {
  orders: [
    { id: 1, status: 'new' },
    { id: 2, status: 'new' },
  ],
  payments: [],
  shop: { open: true },
}

const ROWS = Array.from({ length: 200 }, (_, id) => ({ id }))

const { serve, send, get } = withLogic(DATA)

const FINISH = define<Api>({
  'POST /orders/:id/finish': async ({ params, db }) => {
    const order = await db.orders.update(params.id ?? '', { status: 'finished' })
    await db.payments.create({ orderId: order.id })
    return order
  },
})

const CIRCLE: { own?: object } = {}
CIRCLE.own = CIRCLE
const throwing = (error: unknown) => {
  throw error
}
const libraryError = () =>
  Object.assign(new Error('The key secret-1 is wrong.'), { status: 401, expose: true })

describe('a handler', () => {
  it('is one commit, one history entry and one undo', async () => {
    const { history, undo } = await serve(FINISH)
    expect(await send('POST /orders/1/finish')).toMatchObject({
      status: 200,
      body: { id: 1, status: 'finished' },
    })
    const [entry, ...others] = await history()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ method: 'POST', url: '/orders/1/finish' })
    expect(entry?.changes.map(({ resource, op }) => `${op} ${resource}`)).toEqual([
      'update orders',
      'create payments',
    ])
    await undo()
    expect(await get('/db')).toEqual(DATA)
  })

  it.each<readonly [what: string, fails: () => unknown, status: number, code: string]>([
    ['refuses', () => Promise.reject(refuse(409, 'DONE', 'It is done.', { at: 1 })), 409, 'DONE'],
    ['returns a refusal', () => refuse(409, 'DONE', 'It is done.'), 409, 'DONE'],
    ['throws', () => Reflect.get(Object(undefined), 'x').y, 500, 'INTERNAL_ERROR'],
    ['throws what another library does', () => throwing(libraryError()), 500, 'INTERNAL_ERROR'],
  ])('changes nothing if it %s', async (_, fails, status, code) => {
    const lines: string[] = []
    const logic = define<Api>({
      'POST /fail': async ({ db }) => {
        await db.orders.update(1, { status: 'x' })
        return fails()
      },
    })
    const { history } = await serve(logic, { printError: (line) => lines.push(line) })
    const response = await send('POST /fail')
    expect(response).toMatchObject({ status, body: { code } })
    expect(JSON.stringify(response.body)).not.toMatch(/handlers\.test\.ts|secret/)
    // The stack names file and line.
    expect(lines.map((line) => /handlers\.test\.ts:\d+/.test(line))).toEqual(status === 500 ? [true] : [])
    expect(await history()).toEqual([])
    expect(await get('/db')).toEqual(DATA)
  })

  it('keeps what it wrote if it catches the refusal of a write', async () => {
    const logic = define<Api>({
      'POST /try': async ({ db }) => {
        await db.payments.create({ id: 7, orderId: 1 })
        await db.payments.create([{ orderId: 2 }, { id: 7, orderId: 2 }]).catch(() => {})
        return db.payments.list()
      },
    })
    await serve(logic)
    expect((await send('POST /try')).body).toEqual([{ id: 7, orderId: 1 }])
  })

  it.each<readonly [what: string, method: string, result: () => unknown, status: number, body: unknown]>([
    ['a value', 'POST', () => ({ a: 1 }), 200, { a: 1 }],
    ['a list', 'POST', () => [1, 2], 200, [1, 2]],
    ['a status and a body', 'POST', () => [202, { a: 1 }], 202, { a: 1 }],
    ['a status alone', 'POST', () => [204, undefined], 204, undefined],
    ['nothing', 'POST', () => undefined, 204, undefined],
    ['nothing', 'GET', () => undefined, 404, {}],
    ['a Response', 'POST', () => Response.json({ a: 1 }, { status: 418 }), 418, { a: 1 }],
  ])('may return %s for a %s', async (_, method, result, status, body) => {
    await serve({ [`${method} /result`]: result })
    expect(await send(`${method} /result`)).toMatchObject({ status, body })
  })

  it('ends a stream with its client, and says nothing of it', async () => {
    const lines: string[] = []
    let cancel = () => {}
    const isCancelled = new Promise<void>((resolve) => (cancel = resolve))
    const endless = () =>
      new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(100)), cancel }))
    const { fetch } = await serve({ 'GET /endless': endless }, { printError: (line) => lines.push(line) })
    const response = await fetch('/endless')
    await response.body?.cancel()
    await isCancelled
    await new Promise((resolve) => setImmediate(resolve))
    expect(lines).toEqual([])
  })

  it('leaves the server its own addresses, and sends what fetch decoded as it is', async () => {
    const gzipped = new Response('[1]', { headers: { 'Content-Encoding': 'gzip', 'Content-Length': '9' } })
    await serve({ 'POST /:name': () => 'mine', 'GET /fetched': () => gzipped })
    expect((await send('POST /anything')).body).toBe('mine')
    expect((await send('POST /__reset')).body).not.toBe('mine')
    expect((await send('GET /fetched')).body).toEqual([1])
  })

  it.each<readonly [what: string, result: () => unknown, options: object, encoding: string | null]>([
    ['like the data', () => ROWS, {}, 'gzip'],
    ['with a status', () => [202, ROWS], {}, 'gzip'],
    ['not if it is short', () => [], {}, null],
    ['not with --no-gzip', () => ROWS, { noGzip: true }, null],
    ['not as a Response, which may be a stream', () => Response.json(ROWS), {}, null],
  ])('is compressed %s', async (_, result, options, encoding) => {
    await using server = await open({
      data: { rows: ROWS },
      logic: { 'GET /result': result },
      ...options,
    })
    const headers = { 'Accept-Encoding': 'gzip' }
    const sent = await server.fetch('/result', { headers })
    expect(sent.headers.get('content-encoding')).toBe(encoding)
    const rows = await server.fetch('/rows', { headers })
    expect(rows.headers.get('content-encoding')).toBe('noGzip' in options ? null : 'gzip')
  })

  it('gets what the client sent', async () => {
    await serve({
      'PUT /echo/:first/:second': ({ params, query, body, headers }: Record<string, unknown>) => {
        return { params, query, body, x: Object(headers)['x-one'] }
      },
    })
    expect((await send('PUT /echo/a%20b/2?q=1&q=2', { b: [1] }, { 'X-One': '1' })).body).toEqual({
      params: { first: 'a b', second: '2' },
      query: { q: ['1', '2'] },
      body: { b: [1] },
      x: '1',
    })
  })

  it.each<readonly [type: string, text: string, body: unknown]>([
    ['application/json', '"text"', 'text'],
    ['application/json', '5', 5],
    ['application/json', 'null', null],
    ['text/plain', 'some text', 'some text'],
    ['text/plain', '{"a":1}', { a: 1 }],
    ['application/x-www-form-urlencoded', 'a=1', { a: '1' }],
    ['application/json', '', {}],
  ])('gets what was sent as %s: %s', async (type, text, body) => {
    const server = await serve({ 'POST /echo': ({ body }: { readonly body: unknown }) => [200, { body }] })
    const headers = { 'Content-Type': type }
    const response = await server.fetch('/echo', { method: 'POST', headers, body: text })
    expect([response.status, await response.json()]).toEqual([200, { body }])
    const other = await server.fetch('/orders', {
      method: 'POST',
      headers: { ...headers, 'X-HTTP-Method-Override': 'PUT' },
      body: text,
    })
    expect(other.status).toBeLessThan(500)
  })

  it('may read another kind of body from the request', async () => {
    const logic = define({ 'POST /size': async ({ request }) => (await request.toArray()).join('').length })
    const server = await serve(logic)
    const body = new FormData()
    body.append('file', new Blob(['x'.repeat(1000)]), 'x.txt')
    const response = await server.fetch('/size', { method: 'POST', body })
    expect(await response.json()).toBeGreaterThan(1000)
  })

  it('reads and writes rows and objects, as copies', async () => {
    const logic = define<Api>({
      'POST /all': async ({ db }) => {
        const [first] = await db.orders.list({ status: 'new', _sort: '-id', _limit: 1 })
        if (first) first.status = 'changed in place'
        await db.shop.update({ open: false })
        return [
          await db.orders.get(2),
          await db.orders.get(9),
          await db.orders.replace(1, { status: 'old' }),
          await db.orders.remove(2),
          await db.shop.get(),
        ]
      },
    })
    await serve(logic)
    expect((await send('POST /all')).body).toEqual([
      { id: 2, status: 'new' },
      null,
      { id: 1, status: 'old' },
      { id: 2, status: 'new' },
      { open: false },
    ])
    expect(await get('/orders')).toEqual([{ id: 1, status: 'old' }])
  })

  it.each<readonly [what: string, act: (db: Record<string, never>) => unknown, status: number]>([
    ['a row that is not there', ({ orders }) => Reflect.get(orders ?? {}, 'update').call(orders, 9, {}), 404],
    [
      'a word that means nothing',
      ({ orders }) => Reflect.get(orders ?? {}, 'list').call(orders, { x: 1 }),
      500,
    ],
    ['no collection', ({ nothing }) => Reflect.get(nothing ?? {}, 'create').call(nothing, {}), 500],
    ['no collection to read', ({ nothing }) => Reflect.get(nothing ?? {}, 'get').call(nothing, 1), 500],
    [
      'an id that is none',
      ({ orders }) => Reflect.get(orders ?? {}, 'create').call(orders, { id: [1] }),
      400,
    ],
  ])('is told of %s', async (_, act, status) => {
    await serve({ 'POST /wrong': ({ db }: { db: Record<string, never> }) => act(db) })
    expect(await send('POST /wrong')).toMatchObject({ status })
  })

  it('comes before the data, and the more specific one before the other, in any order of definition', async () => {
    await serve({
      'GET /orders/:id/:part': () => ':id/:part',
      'GET /orders/:id': () => ':id',
      'GET /orders/:id/items': () => ':id/items',
      'GET /:name/last': () => ':name/last',
      'GET /orders/stats': () => 'stats',
      'GET /orders/stats/:part': () => 'stats/:part',
    })
    for (const [path, by] of [
      ['/orders/1', ':id'],
      ['/Orders/STATS/', 'stats'],
      ['/orders//stats', 'stats'],
      ['/orders/1/items', ':id/items'],
      ['/orders/stats/items', 'stats/:part'],
      ['/orders/1/2', ':id/:part'],
      ['/orders/last', ':id'],
      ['/users/last', ':name/last'],
    ] as const)
      expect([path, await get(path)]).toEqual([path, by])
    expect(await get('/orders')).toEqual(DATA.orders)
  })

  it('runs again if what it used was changed meanwhile, and not otherwise', async () => {
    const runs: string[] = []
    const logic = define<Api>({
      'POST /slow/:name': async ({ db, params }) => {
        runs.push(params.name ?? '')
        const orders = await db.orders.list()
        if (runs.length === 1) await send('POST /orders', { status: 'meanwhile' })
        if (runs.length === 1) await send('POST /payments', {})
        return db.orders.create({ status: String(orders.length) })
      },
      'POST /quick': async ({ db }) => {
        runs.push('quick')
        await send('POST /payments', {})
        return db.orders.create({ status: 'quick' })
      },
    })
    await serve(logic)
    expect((await send('POST /slow/a')).body).toEqual({ id: 4, status: '3' })
    expect((await send('POST /quick')).body).toEqual({ id: 5, status: 'quick' })
    expect(runs).toEqual(['a', 'a', 'quick'])
  })

  it('reads from its own server even while others wait for it, and while the object it is about changes', async () => {
    const data = structuredClone(DATA)
    let runs = 0
    const logic = define<Api>({
      'POST /slow': async ({ db }) => {
        const { length } = await db.orders.list()
        runs++
        const isLast = runs > 5
        if (!isLast) data.orders.push({ id: 10 + runs, status: 'meanwhile' })
        expect((await get('/orders')).length).toBeGreaterThanOrEqual(length)
        return db.orders.create({ status: String(length) })
      },
    })
    await serve(logic, { data, live: true, logicTimeout: 5000 })
    expect(await send('POST /slow')).toEqual({ status: 200, body: { id: 16, status: '7' } })
    expect(runs).toBe(6)
    expect(data.orders.map(({ id }) => id)).toEqual([1, 2, 11, 12, 13, 14, 15, 16])
    expect(await get('/orders')).toEqual(data.orders)
  })

  it('loses nothing, however many run at once', async () => {
    const logic = define<Api>({
      'POST /count': async ({ db }) => {
        const { id, status } = (await db.orders.get(1)) ?? { id: 1, status: '' }
        await new Promise((resolve) => setImmediate(resolve))
        return db.orders.update(id, { status: String((Number(status) || 0) + 1) })
      },
    })
    const { history } = await serve(logic)
    await Promise.all(Array.from({ length: 20 }, () => send('POST /count')))
    expect(await get('/orders/1')).toEqual({ id: 1, status: '20' })
    expect(await history({ limit: 100 })).toHaveLength(20)
  })

  it('is too late even if it never lets anything else run', async () => {
    const work = () => {
      const end = performance.now() + 60
      while (performance.now() < end);
    }
    const logic = define<Api>({
      'POST /busy': async ({ db }) => {
        await db.orders.update(1, { status: 'x' })
        return work()
      },
      payments: { before: { create: work } },
    })
    await serve(logic, { logicTimeout: 50 })
    expect(await send('POST /busy')).toMatchObject({ status: 504, body: { code: 'LOGIC_TIMEOUT' } })
    const message = expect.stringMatching(/^payments\.before\.create took/)
    expect(await send('POST /payments', {})).toMatchObject({ status: 504, body: { message } })
    expect(await get('/db')).toEqual(DATA)
  })

  it.each<readonly [what: string, act: (db: Db<Api>) => Promise<unknown>]>([
    ['reads', (db) => db.orders.get(1)],
    ['reads, whatever they throw', (db) => db.orders.get(1).catch(() => undefined)],
    ['writes that are refused', (db) => db.orders.create({ id: 1, status: '' }).catch(() => undefined)],
    ['lists', (db) => db.orders.list()],
  ])('is too late, and holds nobody up, in an endless loop of %s', async (_, act) => {
    let isOver = false
    const endless = async ({ db }: { db: Db<Api> }) => {
      while (!isOver) await act(db)
    }
    await serve(define<Api>({ 'POST /endless': endless, payments: { before: { create: endless } } }), {
      logicTimeout: 200,
    })
    const sent = [send('POST /endless'), send('POST /payments', {})]
    expect(await get('/orders/1')).toEqual(DATA.orders[0])
    for (const { status, body } of await Promise.all(sent))
      expect({ status, body }).toMatchObject({ status: 504, body: { code: 'LOGIC_TIMEOUT' } })
    isOver = true
  })

  it.each<readonly [what: string, logic: Logic]>([
    ['a handler', { 'POST /try': ({ db }) => db.nothing?.list() }],
    ['a hook before', { orders: { before: { create: ({ db }) => db.nothing?.remove(1) } } }],
    ['a hook after', { orders: { after: { create: ({ db }) => db.nothing?.list() } } }],
    ['later', { 'POST /try': ({ later }) => later(1, ({ db }) => db.nothing?.list()) }],
  ])('names the function that fails in the log: %s', async (_, logic) => {
    const [said, say] = oneLine()
    await serve(logic, { printError: say })
    await send('POST /try')
    await send('POST /orders', { status: 'x' })
    expect(await said).toMatch(
      /^(A .*later failed: )?logic: (later of )?(POST \/try|orders\.\w+\.create) failed: TypeError/,
    )
  })

  it.each<readonly [what: string, of: string, act: (db: Db) => unknown]>([
    ['a write', 'POST /try', ({ orders }) => void orders?.update(99, {})],
    ['a write as the server', 'POST /try', ({ asServer }) => void asServer.orders?.remove(99)],
    ['what is chained to it', 'POST /try', ({ orders }) => void orders?.update(99, {}).finally(() => {})],
    ['a row that is none', 'POST /try', ({ orders }) => void orders?.create({ id: [1] }).then(String)],
    ['a write that comes too late', 'POST /try', ({ orders }) => void setTimeout(() => orders?.get(1), 1)],
    ['a hook', 'orders.before.create', ({ orders }) => void orders?.update(99, {})],
    ['a hook after', 'orders.after.create', ({ orders }) => void orders?.update(99, {})],
    ['later', 'later of POST /try', ({ orders }) => void orders?.update(99, {})],
  ])('that does not wait for a refusal leaves it to the log: %s', async (_, of, act) => {
    const [said, say] = oneLine()
    const acting = ({ db }: { db: Db }) => act(db)
    const [, resource = '', when = ''] = /^(\w+)\.(\w+)/.exec(of) ?? []
    const logic: Logic = {
      'POST /try': ({ db, later }) => (of.startsWith('later') ? later(1, acting) : act(db)),
      ...(resource && { 'POST /try': ({ db }) => db.orders?.create({}) }),
      ...(resource && { [resource]: { [when]: { create: acting } } }),
    }
    const server = await serve(logic, { printError: say })
    const response = await server.session('one').fetch('/try', { method: 'POST' })
    expect(response.ok).toBe(true)
    expect(await said).toMatch(new RegExp(`^logic: ${of}: nothing waited for this error: .*Error|Refusal`))
  })

  it('that began a write has it done, also after some time, without waiting for it', async () => {
    const logic: Logic = {
      'POST /try': async ({ db }) => {
        await db.orders?.get(1)
        for (const end = performance.now() + 20; performance.now() < end; );
        void db.payments?.create({ orderId: 1 })
        return {}
      },
    }
    const server = await serve(logic)
    expect((await server.fetch('/try', { method: 'POST' })).ok).toBe(true)
    expect(await (await server.fetch('/payments')).json()).toHaveLength(1)
  })

  it('is in the session of its request', async () => {
    await serve(FINISH)
    await send('POST /orders/1/finish', {}, { 'X-Mock-Session': 'one' })
    expect(await get('/db')).toEqual(DATA)
    expect(await get('/payments', { 'X-Mock-Session': 'one' })).toHaveLength(1)
  })

  it('is cut off, with nothing changed', async () => {
    const logic = define<Api>({
      'POST /endless': async ({ db }) => {
        await db.orders.update(1, { status: 'x' })
        return new Promise(() => {})
      },
    })
    await serve(logic, { logicTimeout: 50 })
    const message = expect.stringMatching(/^POST \/endless took longer than 0\.05 s/)
    expect(await send('POST /endless')).toMatchObject({
      status: 504,
      body: { code: 'LOGIC_TIMEOUT', message },
    })
    expect(await get('/db')).toEqual(DATA)
  })

  it('cannot write after its end', async () => {
    let late: Promise<unknown> | undefined
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const logic = define<Api>({
      'POST /early': ({ db }) => {
        late = turn().then(() => db.orders.update(1, { status: 'x' }))
        late.catch(() => {})
        return {}
      },
    })
    await serve(logic)
    await send('POST /early')
    await expect(late).rejects.toThrow('await')
    expect(await get('/db')).toEqual(DATA)
  })

  it('saves one change to a file', async () => {
    const source = fileOf(DATA)
    await using server = await open({ source, logic: FINISH })
    await server.fetch('/orders/2/finish', { method: 'POST' })
    const saved: Record<string, Row[]> = JSON.parse(await readFile(source, 'utf8'))
    expect([saved.orders?.[1]?.status, saved.payments]).toEqual(['finished', [{ orderId: 2, id: 1 }]])
    await server.undo()
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual(DATA)
  })

  it.each<readonly [what: string, at: string, headers: Record<string, string>, status: number]>([
    ['a guard', 'POST /orders/1/finish', {}, 401],
    ['a guard that lets it pass', 'POST /orders/1/finish', { 'X-API-KEY': 'web-client-key-001' }, 200],
    ['a rewrite rule', 'POST /api/orders/1/finish', { 'X-API-KEY': 'web-client-key-001' }, 200],
    [
      'another way to name the method',
      'POST /orders/1',
      { 'X-HTTP-Method-Override': 'PUT', 'X-API-KEY': 'web-client-key-001' },
      418,
    ],
    ['HEAD', 'HEAD /orders/1/finish', { 'X-API-KEY': 'web-client-key-001' }, 418],
    ['a failure on purpose', 'POST /orders/1/finish', { Prefer: 'code=503' }, 503],
  ])('is behind %s', async (_, at, headers, status) => {
    const teapot = () => Response.json({}, { status: 418 })
    const logic = { ...FINISH, 'PUT /orders/:id': teapot, 'GET /orders/:id/finish': teapot }
    await serve(logic, { middlewares: ['api-key'], routes: { '/api/*': '/$1' } })
    expect(await send(at, at.startsWith('HEAD') ? undefined : {}, headers)).toMatchObject({ status })
  })

  it('changes nothing if what it returns cannot be sent', async () => {
    const logic = define<Api>({
      'POST /big': async ({ db }) => {
        await db.orders.update(1, { status: 'x' })
        return { big: 1n }
      },
    })
    await serve(logic, { printError: () => {} })
    expect(await send('POST /big')).toMatchObject({ status: 500 })
    expect(await get('/db')).toEqual(DATA)
  })

  it.each<readonly [what: string, fails: () => unknown, said: RegExp]>([
    ['what is no error', () => throwing('no'), /logic: GET \/wrong threw no, which/],
    ['nothing', () => Promise.reject(), /logic: GET \/wrong threw undefined/],
    ['a function', () => () => 1, /logic: GET \/wrong returned a function/],
    ['a circle', () => CIRCLE, /logic: GET \/wrong returned what cannot be sent/],
  ])('is named in the log if it throws or returns %s', async (_, fails, said) => {
    const lines: string[] = []
    await serve({ 'GET /wrong': fails }, { printError: (line) => lines.push(line) })
    expect(await send('GET /wrong')).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } })
    expect(lines).toEqual([expect.stringMatching(said)])
  })

  it('leaves out words of a query that are undefined', async () => {
    await serve(
      define<Api>({ 'GET /some': ({ db, query }) => db.orders.list({ status: query.status as string }) }),
    )
    expect(await get('/some')).toEqual(DATA.orders)
    expect(await get('/some?status=old')).toEqual([])
  })

  it('writes nothing on a read-only server, not even for a GET', async () => {
    const logic = define<Api>({ 'GET /touch': ({ db }) => db.orders.update(1, { status: 'x' }) })
    await serve(logic, { readOnly: true })
    expect(await send('GET /touch')).toMatchObject({
      status: 403,
      body: { code: 'READ_ONLY' },
    })
  })
})

function oneLine(): readonly [line: Promise<string>, say: (line: string) => void] {
  let say: (line: string) => void = () => {}
  const line = new Promise<string>((resolve) => (say = resolve))
  return [line, (text) => say(text)]
}

describe('refuse', () => {
  it.each<readonly [sent: readonly unknown[], message: string]>([
    [['409', 'X', 'm'], 'a number from 400 to 599, not "409"'],
    [[200, 'X', 'm'], 'from 400 to 599, not 200'],
    [[409], "refuse(409, 'TAKEN', 'It is taken.')"],
    [[409, 'X'], 'a message'],
  ])('with %j says what is wrong', (sent, message) => {
    expect(() => Reflect.apply(refuse, undefined, sent)).toThrow(message)
  })
})

describe('what a logic file exports', () => {
  it.each<readonly [what: string, text: string, message: RegExp]>([
    ['nothing', 'define({})', /api\.mjs: it exports nothing\. Write export default define\(\{ … \}\)\./],
    [
      'a name with handlers',
      "export const api = define({ 'GET /a': () => 1 })",
      /api: .*export default define/,
    ],
    [
      'a name with hooks',
      'export const api = define({ orders: { before: {} } })',
      /api: .*export default define/,
    ],
  ])('is refused if it is %s', async (_, text, message) => {
    const logic = await logicFile(text)
    await expect(open({ data: DATA, logic })).rejects.toThrow(message)
  })

  it('may be empty', async () => {
    await using server = await open({ data: DATA, logic: await logicFile('export default define({})') })
    expect(server.handlers).toEqual([])
  })
})

async function logicFile(text: string): Promise<string> {
  const folder = folderOf({ 'api.mjs': `const define = (logic) => logic\n${text}\n` })
  return join(folder, 'api.mjs')
}

describe('a logic file', () => {
  it.each<readonly [what: string, logic: unknown, message: RegExp]>([
    [
      'the same path twice',
      { 'GET /a/:x': () => 1, 'GET /A/:y/': () => 2 },
      /"GET \/a\/:x" and "GET \/A\/:y\/"/,
    ],
    ['a path without a method', { '/a': () => 1 }, /"\/a" is not a path/],
    [
      'a method that there is not',
      { 'OPTIONS /a': () => 1 },
      /"OPTIONS \/a" .*GET, POST, PUT, PATCH, DELETE/,
    ],
    ['a method in small letters', { 'get /a': () => 1 }, /"get \/a" .* GET, POST/],
    ['a path of the server', { 'GET /__reset': () => 1 }, /server's own/],
    ['a handler that is none', { 'GET /a': 1 }, /has to be a function/],
    ['a hook that there is not', { posts: { before: { insert: () => 1 } } }, /before\.insert is unknown/],
    ['a part that there is not', { posts: { hooks: {} } }, /posts\.hooks is unknown/],
    ['nothing at all', [], /has to export an object/],
    ['computed fields of an object', { shop: { computed: { a: () => 1 } } }, /shop\.computed/],
    ['a computed id', { orders: { computed: { id: () => 1 } } }, /orders\.computed\.id: .* stored/],
    ['the page', { 'GET /': () => 1 }, /"GET \/" would never run/],
    ['a parameter twice', { 'GET /a/:x/:x': () => 1 }, /has :x twice/],
    ['a part of a parameter', { 'GET /a/:x.json': () => 1 }, /"GET \/a\/:x\.json": write a part/],
    ['a pattern', { 'GET /a/*': () => 1 }, /"GET \/a\/\*": write a part/],
    ['an empty part', { 'GET /a//b': () => 1 }, /"GET \/a\/\/b": write a part/],
  ])('is refused at the start with %s', async (_, logic, message) => {
    await expect(open({ data: DATA, logic: logic as object })).rejects.toThrow(message)
  })

  it('is warned of names that are not in the data', async () => {
    const lines: string[] = []
    await serve({ order: { before: { create: () => {} } }, shop: {} }, { print: (line) => lines.push(line) })
    expect(lines.filter((line) => line.includes('no such resource'))).toEqual([
      'logic: order: there is no such resource, so this applies to nothing. Did you mean "orders"?',
    ])
  })
})
