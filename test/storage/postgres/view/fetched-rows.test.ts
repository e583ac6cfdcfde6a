import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/storage/change.ts'
import { History } from '../../../../src/storage/history/history.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { Operator } from '../../../../src/storage/types.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'
import { CountingProxy } from '../../../support/postgres/counting-proxy.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const ROWS = 4000

/** About 800 KB: who fetches all of it is found out. */
const DATA = {
  items: Array.from({ length: ROWS }, (_, at) => ({
    id: at + 1,
    price: at % 1000,
    name: `item ${at % 500} of the shop`,
    filler: 'x'.repeat(100),
  })),
  parts: Array.from({ length: ROWS }, (_, at) => ({ id: at + 1, itemId: at + 1, filler: 'y'.repeat(50) })),
}

function where(path: string, op: Operator, ...values: readonly string[]) {
  return { collection: 'items', where: { where: [{ path, op, values }] } } as const
}

const MERGE = { kind: 'merge-where', fields: { seen: true } } as const

/** Ids in lists: such as words tell of, and others. */
const ENTRIES = [1, 7, 77, 'Ab c', 'x,y', 'line\nbreak', '100%', '_', true, 'long'.repeat(100)]
const ODD_ENTRIES = ['a', 'A', 'ΑΣ', 0, '0', '', false, 'o', null, [7], { id: 7 }, 'a\0b', '\ud800']
const LISTS = {
  tags: [...ENTRIES, ...ODD_ENTRIES].map((id) => ({ id })),
  posts: Array.from({ length: ROWS }, (_, at) => ({
    id: at + 10_000,
    tagIds: at % 100 === 1 ? ENTRIES.filter((_, nth) => (at + nth) % 7 === 0) : [at + 100],
    filler: `x,y true a 7 77 1 ab c 100% ${'x'.repeat(100)}`,
  })),
  odds: [...ENTRIES, ...ODD_ENTRIES].map((one, at) => ({ id: at, tagIds: [5, one, at] })),
  texts: [...ENTRIES, ...ODD_ENTRIES].map((one, at) => ({ id: at, tagIds: String(one) })),
}

/** Few rows match; the places of some have to be found. */
const CHANGES: readonly (readonly [name: string, changes: readonly RowChange[]])[] = [
  ['rows with a value are merged', [{ ...MERGE, ...where('price', 'eq', '7') }]],
  [
    'rows with a value are patched',
    [
      {
        kind: 'patch-where',
        ...where('name', 'eq', 'item 8 of the shop'),
        patch: { format: 'merge-patch', fields: { seen: 1 } },
      },
    ],
  ],
  ['rows in a range are removed', [{ kind: 'remove-where', ...where('price', 'lt', '2') }]],
  [
    'rows are removed in the middle of others, with those that depend on them',
    [{ kind: 'remove-where', ...where('price', 'between', '300', '315'), dependents: 'all' }],
  ],
  ['rows are found by a part of a text', [{ ...MERGE, ...where('name', 'contains', 'item 499 of') }]],
  ['a field is unknown', [{ ...MERGE, ...where('nope', 'ne', '1') }]],
  ['nothing matches', [{ ...MERGE, ...where('price', 'eq', '5000') }]],
  [
    'others come together with it, before and after',
    [
      { kind: 'merge', collection: 'items', id: '500', fields: { price: 12 } },
      { ...MERGE, ...where('price', 'eq', '12') },
      { kind: 'insert', collection: 'items', rows: [{ price: 12 }] },
      { kind: 'remove-where', ...where('price', 'eq', '12') },
      { ...MERGE, ...where('price', 'eq', '13') },
    ],
  ],
]

describe.skipIf(!hasPostgres)(
  `a change fetches no rows but its own${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    let proxy: CountingProxy
    let engine: PostgresEngine
    let local: LocalEngine
    beforeAll(async () => {
      proxy = await CountingProxy.start(await freshAddress())
      engine = await openPostgres(proxy.address, { ...naming, sample: () => DATA })
      local = new LocalEngine(structuredClone(DATA), { ...naming, isOwned: true })
    })
    afterAll(async () => {
      await engine.close()
      await proxy.close()
    })

    it.each(CHANGES)('when %s', async (_, changes) => {
      const outcomes = (of: LocalEngine | PostgresEngine) =>
        Promise.all(changes.map((change) => of.write(change).catch(String)))
      const before = proxy.bytes
      const found = await outcomes(engine)
      const bytes = proxy.bytes - before
      expect(found).toEqual(await outcomes(local))
      expect(bytes).toBeLessThan(120_000)
    })

    it('nor does undoing and redoing a removal, wherever the rows stood', async () => {
      const memory = new History(local, { now: Date.now })
      for (const id of ['3', '4', '40', '2500', String(ROWS)]) {
        for (const of of [local, engine]) await of.write({ kind: 'remove', collection: 'items', id })
      }
      const before = proxy.bytes
      for (const direction of ['undo', 'undo', 'redo', 'undo', 'undo', 'undo', 'undo', 'redo'] as const) {
        await engine.past.move(direction, {})
        await memory[direction]()
      }
      expect(proxy.bytes - before).toBeLessThan(120_000)
      memory.close()
    })

    it('and leaves the same as in memory', async () => {
      const before = proxy.bytes
      const [{ found }, { found: same }] = [
        await engine.read({ kind: 'database' }),
        await local.read({ kind: 'database' }),
      ]
      expect(JSON.stringify(found)).toBe(JSON.stringify(same))
      // All rows are this many.
      expect(proxy.bytes - before).toBeGreaterThan(600_000)
    })
  },
)

describe.skipIf(!hasPostgres)(
  `rows that list ids are found by the ids, and no others are fetched${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    const listing = (collection: string, embed: string, start: number, end: number) =>
      ({
        kind: 'list',
        collection,
        query: { where: [], sort: [], window: { kind: 'slice', start, end }, embed: [embed], expand: [] },
      }) as const

    it('whatever they look like', async () => {
      const proxy = await CountingProxy.start(await freshAddress())
      const data = JSON.parse(JSON.stringify(LISTS))
      const engine = await openPostgres(proxy.address, { ...naming, sample: () => data })
      const local = new LocalEngine(structuredClone(data), { ...naming, isOwned: true })
      const all = LISTS.tags.length
      for (const [embed, start, end] of [
        ...LISTS.tags.flatMap((_, at) => [['posts', at, at + 1] as const, ['odds', at, at + 1] as const]),
        ...LISTS.tags.map((_, at) => ['texts', at, at + 1] as const),
        ['posts', 0, ENTRIES.length],
        ['odds', 0, all],
      ] as const) {
        const before = proxy.bytes
        const { found } = await engine.read(listing('tags', embed, start, end))
        const bytes = proxy.bytes - before
        const { found: same } = await local.read(listing('tags', embed, start, end))
        expect(JSON.stringify(found)).toBe(JSON.stringify(same))
        if (end <= ENTRIES.length) expect([ENTRIES[start], bytes < 60_000]).toEqual([ENTRIES[start], true])
      }
      await engine.close()
      await proxy.close()
    })
  },
)
