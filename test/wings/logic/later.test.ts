import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { define, open } from '../../../src/index.ts'
import { fileOf, folderOf } from '../../support/folder.ts'
import { withLogic } from './support.ts'

interface Order {
  id: number
  status: string
  at?: string
}
interface Api {
  orders: { row: Order; new: Omit<Order, 'id'> & { id?: number }; kind: 'collection' }
}

const DATA = { orders: [{ id: 1, status: 'new' }] }
const { serve, send, get } = withLogic(DATA)

const SHIP = define<Api>({
  'POST /orders/:id/ship': async ({ params, db, now, later }) => {
    const order = await db.orders.update(params.id ?? '', { status: 'packed', at: now })
    later('2s', async (tools) => {
      await tools.db.orders.update(order.id, { status: 'sent', at: tools.now })
      tools.later(3000, ({ db: own }) => own.orders.update(order.id, { status: 'there' }))
    })
    return order
  },
})
const NOON = '2027-01-01T12:00:00.000Z'
const one = { 'X-Mock-Session': 'one' }

describe('now and later', () => {
  it('go by the clock: what is due runs when it is turned, and waits while it is frozen', async () => {
    const { clock, history } = await serve(SHIP)
    clock.set({ now: NOON, frozen: true })
    expect((await send('POST /orders/1/ship')).body).toEqual({ id: 1, status: 'packed', at: NOON })
    clock.advance('1999ms')
    expect(await get('/orders/1')).toMatchObject({ status: 'packed' })
    clock.advance('1ms')
    await clock.idle()
    expect(await get('/orders/1')).toMatchObject({ status: 'sent', at: '2027-01-01T12:00:02.000Z' })
    clock.advance('1h')
    await clock.idle()
    expect(await get('/orders/1')).toMatchObject({ status: 'there' })
    expect(await history()).toHaveLength(3)
  })

  it('go by the clock of the session', async () => {
    const { clock } = await serve(SHIP)
    await send('PUT /__clock', { frozen: true }, one)
    await send('POST /orders/1/ship', undefined, one)
    clock.advance('1h')
    expect(await get('/orders/1', one)).toMatchObject({ status: 'packed' })
    await send('POST /__clock/advance', { by: '1h' }, one)
    // The response came after what was due.
    expect(await get('/orders/1', one)).toMatchObject({ status: 'sent' })
    expect(await get('/orders/1')).toEqual(DATA.orders[0])
  })

  it('come in the order of time where the clock is moved past several, each at its own time', async () => {
    const ran: string[] = []
    const logic = define<Api>({
      'POST /plan': ({ later }) => {
        for (const after of ['3h', '1m', '10s', '9999999w'])
          later(after, async ({ db, now }) => {
            await db.orders.create({ status: after, at: now })
            await new Promise((resolve) => setTimeout(resolve, after === '10s' ? 20 : 1))
            await db.orders.list()
            ran.push(after)
          })
        return {}
      },
      orders: { before: { create: ({ row, now }) => ({ ...row, isOnTime: row.at === now }) } },
    })
    const { clock } = await serve(logic)
    clock.set({ now: NOON, frozen: true })
    expect((await send('POST /plan')).status).toBe(200)
    clock.advance('1h')
    clock.advance('23h')
    await clock.idle()
    expect(ran).toEqual(['10s', '1m', '3h'])
    expect(await get('/orders?id_gt=1')).toEqual([
      { id: 2, status: '10s', at: '2027-01-01T12:00:10.000Z', isOnTime: true },
      { id: 3, status: '1m', at: '2027-01-01T12:01:00.000Z', isOnTime: true },
      { id: 4, status: '3h', at: '2027-01-01T15:00:00.000Z', isOnTime: true },
    ])
  })

  it('may lead to themselves, as time passes', async () => {
    const lines: string[] = []
    const logic = define<Api>({
      orders: {
        after: {
          update: ({ row, later }) =>
            later('1h', ({ db }) => db.orders.update(row.id, { status: `${row.status}.` })),
        },
      },
    })
    const { clock } = await serve(logic, { printError: (line) => lines.push(line) })
    clock.freeze()
    await send('PATCH /orders/1', { status: '' })
    for (let hour = 1; hour <= 15; hour++) {
      clock.advance('1h')
      await clock.idle()
    }
    expect([await get('/orders/1'), lines]).toEqual([{ id: 1, status: '.'.repeat(15) }, []])
  })

  it('plan nothing if the handler fails, and only once if it runs again', async () => {
    let acted = 0
    const act = () => acted++
    let runs = 0
    const logic = define<Api>({
      'POST /fail': ({ later }) => {
        later('1s', act)
        throw new Error('no')
      },
      'POST /again': async ({ db, later }) => {
        later('1s', act)
        await db.orders.list()
        if (runs++ === 0) await send('PATCH /orders/1', { status: 'x' })
        return db.orders.create({ status: 'y' })
      },
    })
    const { clock } = await serve(logic, { printError: () => {} })
    await send('POST /fail')
    await send('POST /again')
    clock.advance('1h')
    await clock.idle()
    expect([runs, acted]).toEqual([2, 1])
  })

  it('drop what is planned when the server or the session ends', async () => {
    let acted = 0
    const act = () => acted++
    const server = await serve({
      'POST /plan': ({ later }: { later: (...all: unknown[]) => void }) => later('1s', act),
    })
    const session = server.session('one')
    await session.clock.freeze()
    await send('POST /plan', undefined, one)
    await send('POST /plan')
    const { clock } = server
    await session.close()
    await server.close()
    clock.advance('1h')
    expect(acted).toBe(0)
  })

  it.each([
    ['POST /__reset', {}, one],
    ['POST /__reset', one, {}],
    ['POST /__sessions/one/reset', one, {}],
    ['PUT /__snapshots__/db-1', {}, one],
    ['PUT /__snapshots__/db-1', one, {}],
  ])('run no more once their own data was put back: %s %j', async (reset, own, other) => {
    const logic = define<Api>({
      'POST /plan/:after': ({ params, later }) =>
        later(params.after ?? '', ({ db }) => db.orders.create({ status: 'late' })),
    })
    const snapshots = folderOf({ 'db-1.json': DATA })
    await serve(logic, { snapshots })
    for (const headers of [own, other]) {
      await send('PUT /__clock', { frozen: true }, headers)
      await send('POST /plan/1s', undefined, headers)
    }
    await send(reset, undefined, reset.includes('one') ? {} : own)
    await send('POST /plan/2s', undefined, own)
    for (const headers of [own, other]) await send('POST /__clock/advance', { by: '1s' }, headers)
    expect(await get('/orders', own)).toHaveLength(1)
    expect(await get('/orders', other)).toHaveLength(2)
    await send('POST /__clock/advance', { by: '1s' }, own)
    expect(await get('/orders', own)).toHaveLength(2)
  })

  it('write nothing once the data was reset, whenever they began', async () => {
    const logic = define<Api>({
      'POST /plan': ({ later }) => later('1s', ({ db }) => db.orders.create({ status: 'late' })),
    })
    const server = await serve(logic)
    for (let ticks = 0; ticks < 100; ticks++) {
      await send('POST /plan')
      server.clock.advance('1s')
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
      await server.reset()
      await new Promise(setImmediate)
      expect(await get('/orders'), `after ${ticks} ticks`).toEqual(DATA.orders)
    }
  })

  it('write nothing once the data was reset, though they began before', async () => {
    const lines: string[] = []
    let acted = 0
    let goOn = () => {}
    const isReset = new Promise<void>((resolve) => (goOn = resolve))
    const logic = define<Api>({
      'POST /plan': ({ later }) =>
        later('1s', async ({ db }) => {
          acted++
          await db.orders.create({ status: 'late' })
          await isReset
        }),
    })
    const server = await serve(logic, { printError: (line) => lines.push(line) })
    await send('POST /plan')
    server.clock.advance('1s')
    await vi.waitFor(() => expect(acted).toBe(1))
    await server.reset()
    goOn()
    await server.clock.idle()
    expect(await get('/orders')).toEqual(DATA.orders)
    expect([acted, lines]).toEqual([1, []])
  })

  it('write nothing once the server has ended, though they began before', async () => {
    const lines: string[] = []
    let goOn = () => {}
    const isClosed = new Promise<void>((resolve) => (goOn = resolve))
    const ended: unknown[] = []
    const logic = define<Api>({
      'POST /plan': ({ later }) =>
        later('1s', async ({ db }) => {
          await isClosed
          ended.push(await db.orders.update(1, { status: 'late' }))
        }),
    })
    const source = fileOf(DATA)
    const server = await open({ source, logic, printError: (line) => lines.push(line) })
    await server.fetch('/plan', { method: 'POST' })
    server.clock.advance('1h')
    await server.close()
    goOn()
    await server.clock.idle()
    expect(ended).toMatchObject([{ status: 'late' }])
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual(DATA)
    expect(lines).toEqual([])
  })

  it('report what fails', async () => {
    const lines: string[] = []
    const logic = define<Api>({
      'POST /plan': ({ later }) => later('1s', () => Promise.reject(new Error('no'))),
    })
    const { clock } = await serve(logic, { printError: (line) => lines.push(line) })
    await send('POST /plan')
    clock.advance('1s')
    await clock.idle()
    expect(lines).toEqual([
      expect.stringMatching(/later of POST \/plan failed: Error: no[\s\S]*later\.test\.ts/),
    ])
  })
})
