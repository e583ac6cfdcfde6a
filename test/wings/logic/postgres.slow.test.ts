import { describe, expect, it } from 'vitest'
import { define, type OpenedServer, open, type Row } from '../../../src/index.ts'
import { hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { filledAddress } from '../../support/postgres/fill.ts'

interface Api {
  counters: {
    row: { id: number; count: number; twice?: number }
    new: { id?: number; count: number }
    kind: 'collection'
  }
  log: { row: { id: number; count: number }; new: { count: number }; kind: 'collection' }
}

const LOGIC = define<Api>({
  'POST /count': async ({ db }) => {
    const { count } = (await db.counters.get(1)) ?? { count: 0 }
    await db.log.create({ count: count + 1 })
    return db.counters.update(1, { count: count + 1 })
  },
  counters: {
    computed: { twice: ({ count }) => count * 2 },
    before: {
      update: ({ row }) => {
        if (row.count > 9) throw new Error('enough')
      },
    },
  },
})
const DATA = { counters: [{ id: 1, count: 0 }], log: [] }

describe.skipIf(!hasPostgres)(`logic over PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  it('loses nothing between two servers, each handler one commit, and stores nothing computed', async () => {
    const source = await filledAddress(DATA)
    await using first = await open({ source, logic: LOGIC, printError: () => {} })
    await using second = await open({ source, logic: LOGIC, printError: () => {} })
    const count = (server: OpenedServer) => server.fetch('/count', { method: 'POST' })
    const responses = await Promise.all(Array.from({ length: 9 }, (_, at) => count(at % 2 ? first : second)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    const get = async (server: OpenedServer, path: string) => (await server.fetch(path)).json()
    for (const server of [first, second]) {
      expect(await get(server, '/counters?twice=18')).toEqual([{ id: 1, count: 9, twice: 18 }])
      expect(await get(server, '/log')).toHaveLength(9)
      expect(await server.history({ limit: 50 })).toHaveLength(9)
    }
    expect((await count(first)).status).toBe(500)
    await second.undo()
    expect(await get(first, '/db')).toMatchObject({ counters: [{ count: 8, twice: 16 }] })
    expect(await get(first, '/log')).toHaveLength(8)
    await using plain = await open({ source })
    expect(await get(plain, '/counters')).toEqual([{ id: 1, count: 8 }])
  })

  it('takes over what another server changed in rows whose computed fields are others each time', async () => {
    const source = await filledAddress(DATA)
    let computed = 0
    const logic = define<Api>({ counters: { computed: { twice: () => ++computed } } })
    await using first = await open({ source, logic })
    await using second = await open({ source, logic })
    const headers = { 'Content-Type': 'application/json' }
    const patched = await first.fetch('/counters/1', { method: 'PATCH', headers, body: '{"count":1}' })
    expect(patched.status).toBe(200)
    expect(await (await second.fetch('/counters')).json()).toMatchObject([{ id: 1, count: 1 }])
    await second.undo()
    expect(await (await first.fetch('/counters')).json()).toMatchObject([{ id: 1, count: 0 }])
  })

  it.each([false, true])('reads what others changed while they wait for it (with db: %s)', async (hasDb) => {
    const source = await filledAddress(DATA)
    await using second = await open({ source })
    const headers = { 'Content-Type': 'application/json' }
    const patch = (count: number) =>
      second.fetch('/counters/1', { method: 'PATCH', headers, body: JSON.stringify({ count }) })
    const read: unknown[] = []
    let last: Promise<Response> | undefined
    const logic = define<Api>({
      'POST /count': async ({ db }) => {
        await db.counters.get(1)
        if (read.length === 3) last = patch(4)
        const row = (await (await first.fetch('/counters/1')).json()) as Row
        read.push(row.count)
        if (!last) await patch(read.length)
        return db.log.create({ count: read.length })
      },
    })
    await using first = await open({ source, logic, logicTimeout: 10_000 })
    if (hasDb) expect(first.db.get('log').value()).toEqual([])
    expect((await first.fetch('/count', { method: 'POST' })).status).toBe(200)
    expect(read).toEqual([0, 1, 2, 3])
    expect((await last)?.status).toBe(200)
    expect(await (await first.fetch('/db')).json()).toEqual({
      counters: [{ id: 1, count: 4 }],
      log: [{ id: 1, count: 4 }],
    })
  })

  it('runs hooks of two servers as on one: ids beside new rows, deletes that win, nothing of what fails', async () => {
    const source = await filledAddress(DATA)
    const logic = define<Api>({
      log: {
        before: {
          create: async ({ row, db }) => {
            if (row.count < 0) return
            await db.log.create({ count: -row.id })
            if (row.count === 3) throw new Error('not three')
          },
          delete: async ({ row, db }) => void (await db.log.replace(row.id, { count: 0 })),
        },
        after: { delete: ({ db }) => db.counters.update(1, { count: 1 }) },
      },
    })
    await using first = await open({ source, logic, printError: () => {} })
    await using second = await open({ source, logic, printError: () => {} })
    const headers = { 'Content-Type': 'application/json' }
    const post = (server: OpenedServer, count: number) =>
      server.fetch('/log', { method: 'POST', headers, body: JSON.stringify({ count }) })
    const posted = await Promise.all(Array.from({ length: 6 }, (_, at) => post(at % 2 ? first : second, at)))
    expect(posted.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 500])
    const rows = (await (await second.fetch('/log')).json()) as readonly Row[]
    expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([10, 10])
    for (const { id, count } of rows) {
      if (Number(count) >= 0) expect(rows.filter((row) => row.count === -Number(id))).toHaveLength(1)
    }
    expect((await first.fetch('/log?id_gte=1', { method: 'DELETE' })).status).toBe(200)
    expect(await (await second.fetch('/db')).json()).toEqual({ counters: [{ id: 1, count: 1 }], log: [] })
  })
})
