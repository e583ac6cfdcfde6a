import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/storage/draft.ts'
import { patchRow, removeRow, replaceRow } from '../../src/storage/operations.ts'
import { selectIndexed } from '../../src/storage/plan.ts'
import { select } from '../../src/storage/query.ts'
import { type Medium, Store } from '../../src/storage/store.ts'
import type { Table } from '../../src/storage/table.ts'
import type { Condition, Data, ListQuery, Naming, SortKey, Window } from '../../src/storage/types.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }

/** A medium that forgets what it is given, and has what is put into it from outside. */
class Outside implements Medium {
  fresh: Data | null = null
  async read(): Promise<Data | null> {
    const { fresh } = this
    this.fresh = null
    return fresh
  }
  async write(): Promise<void> {}
  async changedOutside(): Promise<boolean> {
    return this.fresh !== null
  }
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }
}

function open(rows: readonly unknown[]) {
  const medium = new Outside()
  const store = new Store({ items: rows.slice() }, { ...NAMING, medium })
  return { medium, store }
}

function tableOf(store: Store): Table {
  const table = store.table('items')
  if (!table) throw new Error('no items')
  return table
}

const number = fc.constantFrom(0, -0, 1, 2, 2, 2.5, 3, 10, -1, 1e21, Number.POSITIVE_INFINITY)
const text = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'B',
  'b c',
  '10',
  '9',
  'a\nb',
  'ä',
  'Ä',
  'ΑΣ',
  '\u212a',
  'true',
  '.',
)
const anything = fc.oneof(number, text, fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 2 }))
const place = fc.record({ c: fc.oneof(text, number, fc.constant(null)) }, { requiredKeys: [] })

/** Columns of one type, of one type with gaps, and of anything. */
const fields = fc.record(
  {
    number,
    text,
    flag: fc.boolean(),
    gaps: fc.oneof(number, fc.constant(null)),
    notes: fc.oneof(text, fc.constant(null)),
    mixed: anything,
    nested: fc.record({ n: number, list: fc.array(number, { maxLength: 2 }) }, { requiredKeys: ['n'] }),
    places: fc.array(fc.oneof(place, fc.array(place, { maxLength: 2 })), { maxLength: 3 }),
    'nested.n': fc.option(number),
    rare: anything,
  },
  { requiredKeys: ['number', 'text', 'flag', 'nested'] },
)
/** What writes put in: now and then it spoils a column. */
const spoiling = fc.oneof(
  { weight: 4, arbitrary: fields },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('number', 'text', 'nested', 'ids', 'news'), anything),
  },
)
const oddity = fc.oneof(anything, fc.constant([{ c: 'a' }]))

const table = fc
  .tuple(
    fc.array(fields, { minLength: 60, maxLength: 140 }),
    fc.array(oddity, { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([rows, odd, hasTwins]) => {
    const items: unknown[] = rows.map((row, at) => ({ id: hasTwins && at % 50 === 7 ? 3 : at + 1, ...row }))
    return [...items.slice(0, 30), ...odd, ...items.slice(30)]
  })

const path = fc.constantFrom(
  ...['id', 'ids', 'number', 'text', 'flag', 'gaps', 'notes', 'mixed', 'nested', 'nested.n', 'nested.list'],
  ...[
    'nested.list.0',
    'places',
    'places.c',
    'places.0.c',
    'places.length',
    'rare',
    'news',
    'nope',
    'length',
    '0.c',
  ],
)
const value = fc.constantFrom(
  ...[
    '0',
    '1',
    '2',
    '3',
    '10',
    '7',
    '-0',
    '2.5',
    '1e1',
    '1e21',
    'Infinity',
    'NaN',
    '',
    'a',
    'A',
    'B',
    'b c',
    'ab',
  ],
  ...['true', 'null', 'ä', 'k', '.', '^a', 'a|b', '\u212a', 'a\nb', 'zzz', '[object Object]'],
)
const condition: fc.Arbitrary<Condition> = fc.record(
  {
    path,
    op: fc.constantFrom('eq', 'eq', 'eq', 'ne', 'gte', 'gte', 'lte', 'lte', 'like'),
    values: fc.oneof(
      { weight: 4, arbitrary: value.map((one) => [one]) },
      { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) },
    ),
    required: fc.boolean(),
  },
  { requiredKeys: ['path', 'op', 'values'] },
)
const sortKey: fc.Arbitrary<SortKey> = fc.record({ path, order: fc.constantFrom('asc', 'desc') })
const count = fc.integer({ min: -3, max: 150 })
const window: fc.Arbitrary<Window> = fc.oneof(
  fc.constant({ kind: 'all' as const }),
  fc.record({ kind: fc.constant('limit' as const), count }),
  fc.record({ kind: fc.constant('page' as const), page: fc.integer({ min: 1, max: 12 }), size: count }),
  fc.record(
    { kind: fc.constant('slice' as const), start: count, end: count },
    { requiredKeys: ['kind', 'start'] },
  ),
)
const query: fc.Arbitrary<ListQuery> = fc
  .record({
    search: fc.option(fc.constantFrom('a', 'b', '1', 'true', 'a\nb', 'ä', 'k', 'ας', '0', 'null', 'zzz'), {
      nil: undefined,
      freq: 4,
    }),
    // Most with little in them: one condition less is one more way that an index answers alone.
    where: fc.oneof(
      fc.constant([]),
      fc.array(condition, { maxLength: 1 }),
      fc.array(condition, { maxLength: 3 }),
    ),
    sort: fc.oneof(fc.constant([]), fc.array(sortKey, { maxLength: 1 }), fc.array(sortKey, { maxLength: 2 })),
    window,
  })
  .map(({ search, ...rest }) => ({ ...rest, ...(search ? { search } : {}), embed: [], expand: [] }))

type Step = { readonly draft: (draft: Draft) => unknown } | { readonly reload: readonly unknown[] }

const id = fc.integer({ min: 1, max: 160 }).map(String)
const write: fc.Arbitrary<(draft: Draft) => unknown> = fc.oneof(
  fc
    .array(spoiling, { minLength: 1, maxLength: 3 })
    .map((rows) => (draft: Draft) => draft.insert('items', rows)),
  fc.tuple(id, spoiling).map(
    ([at, row]) =>
      (draft: Draft) =>
        replaceRow(draft, 'items', at, row),
  ),
  fc.tuple(id, spoiling).map(
    ([at, row]) =>
      (draft: Draft) =>
        patchRow(draft, 'items', at, row),
  ),
  id.map((at) => (draft: Draft) => removeRow(draft, 'items', at, 'none')),
  fc.tuple(id, fc.constantFrom(5, 40)).map(([at, size]) => (draft: Draft) => {
    const rows = draft.rows('items')?.filter((row) => Number(row?.id) >= Number(at)) ?? []
    draft.remove('items', rows.slice(0, size))
  }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: write.map((draft) => ({ draft })) },
  {
    weight: 1,
    arbitrary: fc.array(write, { minLength: 2, maxLength: 5 }).map((writes) => ({
      draft: (draft: Draft) => {
        for (const one of writes) one(draft)
      },
    })),
  },
  { weight: 1, arbitrary: table.map((reload) => ({ reload })) },
)

describe('an answer through indexes', () => {
  it('is the answer of a plain scan, whatever was written before', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.array(query, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(step, fc.array(query, { maxLength: 2 })), { maxLength: 12 }),
        async (rows, queries, steps) => {
          const { store, medium } = open(rows)
          for (const [next, others] of [[undefined, []] as const, ...steps]) {
            if (next && 'draft' in next) await store.write(next.draft)
            else if (next) {
              medium.fresh = { items: next.reload.slice() }
              await store.reload()
            }
            // The same queries again: their indexes are there by now, and must have followed.
            for (const asked of [...queries, ...others]) {
              expect(await store.select('items', asked)).toEqual(select(tableOf(store).rows, asked, NAMING))
            }
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('is that of the moment it was asked for, even when others write while it is looked for', async () => {
    await fc.assert(
      fc.asyncProperty(table, query, fc.array(write, { maxLength: 3 }), async (rows, asked, writes) => {
        const { store } = open(rows)
        await store.select('items', asked)
        for (const draft of writes) {
          const expected = structuredClone(select(tableOf(store).rows, asked, NAMING))
          const found = selectIndexed(tableOf(store), asked, NAMING, 0)
          // What is found at once may be the table's own array.
          const selection = found instanceof Promise ? found : structuredClone(found)
          await store.write(draft)
          expect(await selection).toEqual(expected)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('an index', () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({
    id: at + 1,
    size: at % 3,
    place: { town: `t${at % 10}` },
  }))
  const all: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }
  const isNew: Condition = { path: 'news', op: 'eq', values: ['yes'] }

  async function ids(store: Store, asked: Partial<ListQuery>): Promise<unknown[]> {
    const { items } = await store.select('items', { ...all, ...asked })
    return items.map((row) => row.id)
  }

  it.each<[string, number, number]>([
    ['at the start', 0, 5],
    ['within equal rows', 7, 12],
    ['from some to others', 30, 40],
    ['at the end', 95, 120],
    ['past the end', 120, 130],
  ])('keeps equal rows in their order when it is read backwards: %s', async (_, start, end) => {
    const { store } = open(rows)
    const asked: ListQuery = {
      ...all,
      sort: [{ path: 'size', order: 'desc' }],
      window: { kind: 'slice', start, end },
    }
    expect(await store.select('items', asked)).toEqual(select(rows, asked, NAMING))
  })

  it('knows when a field comes into use, and when it goes out of it', async () => {
    const { store } = open(rows)
    expect(await ids(store, { where: [isNew] })).toHaveLength(100)
    await store.write((draft) => patchRow(draft, 'items', '7', { news: 'yes' }))
    await store.write((draft) => patchRow(draft, 'items', '3', { news: 'yes' }))
    expect(await ids(store, { where: [isNew] })).toEqual([3, 7])
    await store.write((draft) => removeRow(draft, 'items', '7', 'none'))
    await store.write((draft) => replaceRow(draft, 'items', '3', { size: 1 }))
    expect(await ids(store, { where: [isNew] })).toHaveLength(99)
  })

  it.each([
    ['field', 'size', '9'],
    ['path', 'place.town', 'nowhere'],
  ])('keeps rows in their order when an earlier one gets a value later: %s', async (_, path, value) => {
    const { store } = open(rows)
    const where: Condition[] = [{ path, op: 'eq', values: [value] }]
    expect(await ids(store, { where })).toEqual([])
    const fields = { size: 9, place: { town: 'nowhere' } }
    for (const at of ['50', '20', '80', '30']) {
      await store.write((draft) => patchRow(draft, 'items', at, fields))
    }
    expect(await ids(store, { where })).toEqual([20, 30, 50, 80])
    await store.write((draft) => removeRow(draft, 'items', '30', 'none'))
    await store.write((draft) => draft.insert('items', [fields]))
    expect(await ids(store, { where })).toEqual([20, 50, 80, 101])
  })

  it('follows more rows at once than are worth following', async () => {
    const { store } = open(rows)
    const asked = { where: [{ path: 'size', op: 'gte', values: ['2'] } as const] }
    expect(await ids(store, asked)).toHaveLength(33)
    const many = Array.from({ length: 2000 }, () => ({ size: 2 }))
    await store.write((draft) => draft.insert('items', many))
    expect(await ids(store, asked)).toHaveLength(2033)
    await store.write((draft) => draft.remove('items', draft.rows('items')?.slice(40) ?? []))
    expect(await ids(store, asked)).toHaveLength(13)
  })

  it('is not asked once others hold the data', async () => {
    const { store } = open(rows)
    const where: Condition[] = [{ path: 'size', op: 'eq', values: ['2'] }]
    expect(await ids(store, { where })).toHaveLength(33)
    const { items } = store.share()
    if (Array.isArray(items)) items.push({ id: 'new', size: 2 })
    expect(await ids(store, { where })).toHaveLength(34)
    expect(store.findBy('items', 'size', 2)).toHaveLength(34)
  })
})

describe('findBy', () => {
  it('finds the rows whose own field has the text, whatever was written before', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        path,
        value,
        fc.array(write, { maxLength: 5 }),
        async (rows, field, own, writes) => {
          const { store } = open(rows)
          const plain = new Store({ items: store.rows('items') }, NAMING)
          for (const draft of [() => undefined, ...writes]) {
            await store.write(draft)
            expect(store.findBy('items', field, own)).toEqual(plain.findBy('items', field, own))
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
