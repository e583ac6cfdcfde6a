import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Table } from '../../../src/core/engine/data/table.ts'
import { hideFields } from '../../../src/core/engine/rules/served-fields.ts'
import type { Data, Row } from '../../../src/core/engine/types.ts'
import type { PostgresOptions } from '../../../src/stores/postgres/open-postgres.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../support/postgres/cluster.ts'
import { StandIn } from '../../support/postgres/stand-in.ts'

/** Whatever PostgreSQL, or a way to send it, could take for something else. */
const ODD: readonly unknown[] = [
  ...['\\', '\\N', '\\.', 'a\tb', 'a\nb\r\n', '"', "'", '\0', '\ud800', '😀', '', '{}', 'x'.repeat(9000)],
  ...[0, 1e21, 5e-324, 1.7976931348623157e308, -1.5, 0.1, 2 ** 53, null, [], [1, [2]], true, {}],
]
const DATA: Data = {
  $schema: './schema.json',
  odd: [...ODD, ...ODD.map((value) => ({ value }))],
  'na\0me': [{ id: 1 }],
  empty: [],
  one: { a: 1 },
}

describe.skipIf(!hasPostgres)(`a store in PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  let address = ''
  const opened: StandIn[] = []
  beforeEach(async () => {
    address = await freshAddress()
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  /** Looks for changes so seldom that it hears of them by notifications alone. */
  async function open(data?: Data, options: Partial<PostgresOptions> = {}): Promise<StandIn> {
    const sample = data && { sample: () => data }
    const one = await StandIn.open(address, { patienceMs: 100_000, ...sample, ...options })
    opened.push(one)
    return one
  }
  /** What a server finds that starts now. */
  const stored = async () => (await open()).data
  const text = (data: Data) => JSON.stringify(data)

  it('has what it was filled with, whatever that is, in order', async () => {
    expect(text((await open(DATA)).data)).toBe(text(DATA))
    expect(text(await stored())).toBe(text(DATA))
  })

  it('keeps rows that are added, replaced and removed at any place', async () => {
    const one = await open({ items: Array.from({ length: 200 }, (_, id) => ({ id })) })
    for (const row of ODD) await one.add({ row })
    const edit = (change: (table: Table) => Table) =>
      one.write((database) => database.with('items', change(database.table('items') ?? Table.of([]))))
    await edit((table) =>
      table
        .edit([{ rank: 7 }])
        .edit([{ rank: 20.5, after: { id: 'between' } }])
        .edit([{ rank: -3, after: { id: 'first' } }]),
    )
    await edit((table) =>
      table
        .edit([{ rank: 0.1 + 0.2, after: { id: 'exact' } }])
        .edit([{ rank: 100, after: null as unknown as Row }]),
    )
    await edit((table) =>
      [...table.rows.ranks()].reduce((rest, rank) => (rank % 3 ? rest : rest.edit([{ rank: rank }])), table),
    )
    expect(text(await stored())).toBe(text(one.data))
  })

  it.each([
    ['many rows', 10_000, 'x'],
    ['few large ones', 5, 'x'.repeat(3_000_000)],
    ['none', 0, ''],
  ])(
    'keeps a collection that is new, and all that is changed in it at once: %s',
    async (_, count, filler) => {
      const one = await open()
      const rows = Array.from({ length: count }, (_, id) => ({ id, filler }))
      await one.write((database) =>
        database.with('more', Table.of(rows)).with('items', Table.of([{ id: 2 }])),
      )
      await one.write((database) => {
        let table = database.table('more') ?? Table.of([])
        for (const rank of table.rows.ranks())
          if (rank % 4) table = table.edit([{ rank: rank, after: { id: rank } }])
        return database.with('more', table).with('items', Table.of([{ id: 3 }]))
      })
      expect(text(await stored())).toBe(text(one.data))
    },
  )

  it('keeps objects, other values and the order of names', async () => {
    const one = await open(DATA)
    await one.write((database) => database.with('one', { b: '\0' }).with('$schema', ['other']))
    expect(text(await stored())).toBe(text(one.data))
    await one.replace({ two: { a: 1 }, one: [{ id: 1 }], $schema: 'x', odd: {} })
    expect(text(await stored())).toBe(text(one.data))
  })

  it('keeps what is hidden, in rows and in the log', async () => {
    const one = await open()
    const hidden = hideFields({ id: 1, password: 'hash', name: 'Ada' }, ['password'])
    await one.write((database) => database.with('items', Table.of([hidden])))
    expect(text(one.data)).not.toContain('hash')
    const other = await open()
    expect(text(other.data)).toBe(text({ items: [{ id: 1, password: 'hash', name: 'Ada' }] }))
    expect(text({ ...other.past })).toContain('hash')
  })

  it('changes nothing when the change fails, or there is none', async () => {
    const one = await open()
    const failed = one.write(() => {
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await one.opened.store.commit(async () => undefined, { since: () => one.version, replacesAll: false })
    expect(await one.add()).toEqual({ id: 2 })
    expect(await stored()).toEqual({ items: [{ id: 1 }, { id: 2 }] })
  })

  it('tells other servers what was done, in order and each once', async () => {
    const [one, two] = [await open(DATA), await open()]
    await one.add({ a: '\ud800' }, 'new')
    await one.write((database) => database.with('one', { a: 2 }), { meta: { method: 'PUT' } })
    await Promise.all([two.read(), two.read(), two.refresh(), two.add({}, 'new')])
    expect(two.heard).toMatchObject([
      { names: ['new'], effects: [{ kind: 'rows', rows: [{ rank: 0, after: { a: '\ud800', id: 1 } }] }] },
      { names: ['one'], effects: [{ before: { a: 1 }, after: { a: 2 } }], meta: { method: 'PUT' } },
    ])
    expect(text(await one.read())).toBe(text(two.data))
    expect(text(await stored())).toBe(text(two.data))
  })

  it('tells others at once that something was done', async () => {
    const [one, two] = [await open(), await open()]
    let told = 0
    two.opened.store.follow(() => told++)
    await one.add()
    await expect.poll(() => told).toBeGreaterThan(0)
    expect(await one.refresh()).toBe(false)
    expect(await two.refresh()).toBe(true)
    expect(await two.refresh()).toBe(false)
  })

  it('gives everything anew where changes cannot be told one by one', async () => {
    const [one, two] = [await open(), await open()]
    await one.replace({ items: [{ id: 9 }], more: [] })
    await one.add()
    expect(await two.read()).toEqual({ items: [{ id: 9 }, { id: 10 }], more: [] })
    expect(two.heard).toEqual(['content'])
    expect(two.version).toBe(one.version)
    // More than others have to be told.
    await one.write((database) => database.with('more', Table.of([{ id: 1 }])), { bytes: 20 * 1024 * 1024 })
    await two.add({ b: 1 })
    expect(two.heard).toEqual(['content', 'content'])
    expect(await one.read()).toEqual(two.data)
  })

  it('never reads what is older than what was acknowledged', async () => {
    const [one, two] = [await open(), await open()]
    for (let times = 0; times < 300; times++) {
      const added = await one.add()
      const reads = await Promise.all([two.read(), two.read()])
      for (const { items } of reads) expect([items].flat().at(-1)).toEqual(added)
    }
  })

  it('gives ids once, whatever the number of servers', async () => {
    const servers = [await open(), await open(), await open()]
    await Promise.all(
      servers.map(async (server, at) => {
        for (let times = 0; times < 40; times++) await server.add({ at })
      }),
    )
    const { items } = await stored()
    expect([items].flat().map((row) => Object(row).id)).toEqual(
      Array.from({ length: 121 }, (_, at) => at + 1),
    )
    const read = await Promise.all(servers.map((server) => server.read()))
    for (const data of read) expect(data.items).toEqual(items)
  })

  it('writes in turn whatever isolation the database has by default', async () => {
    await runIn(address, `ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'`)
    try {
      const servers = [await open(), await open(), await open(), await open()]
      const adding = servers.map(async (server) => {
        for (let times = 0; times < 100; times++) await server.add()
      })
      await Promise.all(adding)
      expect(await stored()).toMatchObject({ items: { length: 401 } })
    } finally {
      await runIn(address, 'ALTER DATABASE postgres RESET default_transaction_isolation')
    }
  })

  it('asks the database once for all reads that come together', async () => {
    const one = await open()
    const looks = Array.from({ length: 100 }, () => one.opened.store.hasNews(one.version))
    expect(new Set(looks).size).toBe(1)
    // What was asked before a read came may be too old for it.
    await new Promise(setImmediate)
    const later = one.opened.store.hasNews(one.version)
    expect(later).not.toBe(looks[0])
    expect(await Promise.all([looks[0], later])).toEqual([false, false])
  })

  it('tells followers of what another server wrote', async () => {
    const [one, two] = [await open(), await open()]
    const told = new Promise<void>((resolve) => two.opened.store.follow(resolve))
    await one.add()
    await told
    await two.refresh()
    expect(two.data).toEqual(one.data)
  })

  it('keeps what was changed lately, for servers that start later', async () => {
    const one = await open()
    const { base } = one.past
    for (let times = 0; times < 3; times++) await one.add()
    const undone = { effects: [], undoes: [base + 3], top: base + 2 }
    await one.write((database) => database, undone)
    const { past } = await open()
    expect(past).toMatchObject({ base, bottom: base })
    expect(past.commits.map(({ version, top, undoes }) => [version - base, top - base, undoes])).toEqual([
      [1, 1, undefined],
      [2, 2, undefined],
      [3, 3, undefined],
      [4, 2, [base + 3]],
    ])
    await one.replace({ items: [] })
    const { history } = await open()
    expect(history).toMatchObject({
      base: base + 5,
      bottom: base + 5,
      version: base + 5,
      bytes: 0,
      older: [],
    })
    await one.add()
    expect((await open()).past.commits.map(({ version }) => version - base)).toEqual([5, 6])
  })

  it('keeps a thousand changes, and those that can be undone', async () => {
    const one = await open()
    const { base } = one.past
    await one.add()
    await one.add()
    // Undone and redone again and again: the first two lead everywhere, and stay.
    for (let times = 0; times < 505; times++) {
      await one.write((database) => database, { effects: [], top: base + 1 })
      await one.write((database) => database, { effects: [], top: base + 2 })
    }
    const { past, history } = await open()
    expect(history).toMatchObject({ bottom: base, base: base + 12, older: [base + 1, base + 2] })
    // What the last one made superfluous is still there.
    expect(past.commits.map(({ version }) => version - base).slice(0, 4)).toEqual([1, 2, 12, 13])
    expect(past.commits).toHaveLength(1003)
  })

  it('goes back to what came from outside last, also after a restart, and everywhere', async () => {
    const one = await open(DATA)
    await one.add({}, 'empty')
    expect(text((await one.opened.origin()).toData())).toBe(text(DATA))
    await one.replace({ items: [{ id: 5 }] })
    expect(text((await (await open()).opened.origin()).toData())).toBe(text(DATA))
    await one.replace({ items: [{ id: 6 }] }, { isOutside: true })
    await one.add()
    expect((await (await open()).opened.origin()).toData()).toEqual({ items: [{ id: 6 }] })
  })

  it('has copies of everything, for all servers', async () => {
    const [one, two] = [await open(DATA), await open()]
    const { images } = one.opened
    expect(await images.save(['a', 'b'])).toBe('a')
    await one.add({}, 'empty')
    const both = [images.save(['a', 'b', 'c', 'd']), two.opened.images.save(['a', 'b', 'c', 'd'])]
    expect((await Promise.all(both)).sort()).toEqual(['b', 'c'])
    expect((await two.opened.images.names()).toSorted()).toEqual(['a', 'b', 'c'])
    expect(text((await two.opened.images.read('a')) ?? {})).toBe(text(DATA))
    expect(await two.opened.images.read('b')).toMatchObject({ empty: [{ id: 1 }] })
    expect(await images.read('none')).toBeUndefined()
    expect([await two.opened.images.remove('a'), await images.remove('a')]).toEqual([true, false])
    await expect(images.save(['b'])).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    expect(text(await stored())).toBe(text(one.data))
  })

  it('copies each collection by itself, though servers put two at the same place', async () => {
    const [one, two] = [await open(), await open()]
    // Nobody is told of an empty one before it has a row.
    await one.write((database) => database.with('empty', Table.of([])), { effects: [], names: [] })
    await two.add({ a: 1 }, 'more')
    await one.opened.images.save(['a'])
    const copy = { items: [{ id: 1 }], empty: [], more: [{ a: 1, id: 1 }] }
    expect(await two.opened.images.read('a')).toEqual(copy)
    expect(await stored()).toEqual(copy)
  })

  it('shares a secret, and strings that are swapped once', async () => {
    const [one, two] = [(await open()).opened.shared, (await open()).opened.shared]
    expect(one.secret).toBe(two.secret)
    expect(one.secret).toMatch(/^[\w-]{43}$/)
    expect(await one.swap('a', undefined, 'x')).toBe(true)
    expect(await two.swap('a', undefined, 'y')).toBe(false)
    const swaps = await Promise.all([one.swap('a', 'x', '1'), two.swap('a', 'x', '2')])
    expect(swaps.filter((isDone) => isDone)).toHaveLength(1)
    const kept = await two.read('a')
    expect(await one.swap('a', kept, undefined)).toBe(true)
    expect(await two.read('a')).toBeUndefined()
  })

  it('takes as long for a change, however many rows there are', async () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id }))
    const one = await open({ items: [{ id: 1 }], many: rows })
    const time = async (name: string) => {
      const start = performance.now()
      for (let times = 0; times < 100; times++) await one.add({}, name)
      return performance.now() - start
    }
    await time('items')
    const [few, many] = [await time('items'), await time('many')]
    expect(many).toBeLessThan(3 * few)
  })
})
