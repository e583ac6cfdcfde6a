import fc from 'fast-check'
import type { RowChange } from '../../../src/core/engine/change.ts'
import type { Condition, ListQuery, SortKey, Where, Window } from '../../../src/core/engine/types.ts'
import type { Operator } from '../../../src/core/kernel/catalogue/operators.ts'

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
/** What nobody expects as a key, or as a value to filter by: some of it too long to be looked up, or to be read in one go. */
const strange = fc.constantFrom<unknown>(
  { a: 1 },
  { toString: 1 },
  [['a'], 'b'],
  [1, 2],
  [],
  ['a'.repeat(20_000)],
  'a'.repeat(20_000),
  Array.from({ length: 1500 }, () => 'a'),
)
const anything = fc.oneof(
  { weight: 2, arbitrary: number },
  { weight: 2, arbitrary: text },
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
  strange,
)
/** Without a prototype, as nothing is that was JSON, it could not become a string. */
const place = fc.record(
  { c: fc.oneof(text, number, fc.constant(null)) },
  { requiredKeys: [], noNullPrototype: true },
)

/** Columns of one type, of one type with gaps, and of anything. */
export const fields = fc.record(
  {
    number,
    text,
    flag: fc.boolean(),
    gaps: fc.oneof(number, fc.constant(null)),
    notes: fc.oneof(text, fc.constant(null)),
    mixed: anything,
    nested: fc.record(
      { n: number, list: fc.array(number, { maxLength: 2 }) },
      { requiredKeys: ['n'], noNullPrototype: true },
    ),
    places: fc.oneof(
      {
        weight: 30,
        arbitrary: fc.array(fc.oneof(place, fc.array(place, { maxLength: 2 })), { maxLength: 3 }),
      },
      // More than an index takes in, and more than is walked in one go.
      place.map((one) => [...Array.from({ length: 300 }, (_, c) => ({ c })), one]),
      place.map((one) => [...Array.from({ length: 1100 }, () => ({ d: 1 })), one]),
    ),
    'nested.n': fc.option(number),
    rare: anything,
  },
  { requiredKeys: ['number', 'text', 'flag', 'nested'], noNullPrototype: true },
)
/** What writes put in: now and then it spoils a column. */
const spoiling = fc.oneof(
  { weight: 4, arbitrary: fields },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('number', 'text', 'nested', 'ids', 'news'), anything, {
      noNullPrototype: true,
    }),
  },
)
const oddity = fc.oneof(anything, fc.constant([{ c: 'a' }]))

/** The rows of a collection: most have the same columns, some are no rows at all. */
export const table = fc
  .tuple(
    fc.array(fields, { minLength: 60, maxLength: 140 }),
    fc.array(oddity, { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([rows, odd, hasTwins]) => {
    const items: unknown[] = rows.map((row, at) => ({ id: hasTwins && at % 50 === 7 ? 3 : at + 1, ...row }))
    return [...items.slice(0, 30), ...odd, ...items.slice(30)]
  })

/** Paths that exist, that exist in some rows, and that do not. */
export const path = fc.constantFrom(
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
/** What a condition may compare with. */
export const value = fc.constantFrom(
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
  ...[
    'true',
    'null',
    'ä',
    'k',
    '.',
    '^a',
    'a|b',
    '\u212a',
    'a\nb',
    'zzz',
    '[object Object]',
    'a,b',
    '1,2',
    ',',
  ],
)
const operator = fc.constantFrom<Operator>(
  ...(['eq', 'eq', 'eq', 'ne', 'gte', 'gte', 'lte', 'lte', 'like'] as const),
  ...(['gt', 'lt', 'in', 'in', 'nin', 'contains', 'startsWith', 'startsWith', 'endsWith'] as const),
  ...(['null', 'between', 'between'] as const),
)

function valuesFor(op: Operator): fc.Arbitrary<readonly string[]> {
  if (op === 'null') return fc.constantFrom(['true'], ['false'])
  const pair = fc.tuple(value, value)
  if (op === 'between')
    return fc.oneof(
      pair,
      fc.tuple(pair, pair).map((pairs) => pairs.flat()),
    )
  return fc.oneof(
    { weight: 4, arbitrary: value.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) },
  )
}

const condition: fc.Arbitrary<Condition> = operator.chain((op) =>
  fc.record(
    { path, op: fc.constant(op), values: valuesFor(op), required: fc.boolean() },
    { requiredKeys: ['path', 'op', 'values'] },
  ),
)
/** Conditions alone and in groups. */
const where: fc.Arbitrary<Where> = fc.letrec<{ any: Where }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: condition },
    { weight: 2, arbitrary: fc.array(tie('any'), { maxLength: 3 }).map((or) => ({ or })) },
    fc.array(tie('any'), { maxLength: 3 }).map((and) => ({ and })),
    tie('any').map((not) => ({ not })),
  ),
})).any
const sortKey: fc.Arbitrary<SortKey> = fc.record({ path, order: fc.constantFrom('asc', 'desc') })
const count = fc.integer({ min: -3, max: 150 })
const window: fc.Arbitrary<Window> = fc.oneof(
  fc.constant({ kind: 'all' as const }),
  fc.record({ kind: fc.constant('limit' as const), count }),
  fc.record({ kind: fc.constant('page' as const), page: fc.integer({ min: 1, max: 12 }), size: count }),
  fc.record({
    kind: fc.constant('envelope' as const),
    page: fc.integer({ min: 1, max: 12 }),
    size: fc.integer({ min: 1, max: 150 }),
  }),
  fc.record(
    { kind: fc.constant('slice' as const), start: count, end: count },
    { requiredKeys: ['kind', 'start'] },
  ),
)
/** Any query of a list. */
export const query: fc.Arbitrary<ListQuery> = fc
  .record({
    search: fc.option(fc.constantFrom('a', 'b', '1', 'true', 'a\nb', 'ä', 'k', 'ας', '0', 'null', 'zzz'), {
      nil: undefined,
      freq: 4,
    }),
    // Most with little in them: one condition less is one more way that an index answers alone.
    where: fc.oneof(fc.constant([]), fc.array(where, { maxLength: 1 }), fc.array(where, { maxLength: 3 })),
    sort: fc.oneof(fc.constant([]), fc.array(sortKey, { maxLength: 1 }), fc.array(sortKey, { maxLength: 2 })),
    window,
  })
  .map(({ search, ...rest }) => ({ ...rest, ...(search ? { search } : {}), embed: [], expand: [] }))

/** What happens to an engine between two questions. */
export type Step = { readonly change: RowChange } | { readonly reload: readonly unknown[] }

const id = fc.integer({ min: 1, max: 160 }).map(String)
/** Any change of the collection `items`. */
export const write: fc.Arbitrary<RowChange> = fc.oneof(
  fc
    .array(spoiling, { minLength: 1, maxLength: 3 })
    .map((rows): RowChange => ({ kind: 'insert', collection: 'items', rows })),
  fc
    .tuple(fc.constantFrom('replace', 'merge'), id, spoiling)
    .map(([kind, at, row]): RowChange => ({ kind, collection: 'items', id: at, fields: row })),
  id.map((at): RowChange => ({ kind: 'remove', collection: 'items', id: at })),
  fc.tuple(fc.nat({ max: 160 }), fc.constantFrom(5, 40)).map(([at, size]): RowChange => {
    const where: Condition[] = [
      { path: 'id', op: 'gte', values: [String(at)] },
      { path: 'id', op: 'lte', values: [String(at + size)] },
    ]
    return { kind: 'remove-where', collection: 'items', where: { where } }
  }),
)
/** A row that comes to a certain place: no index outlives that. */
const placing: fc.Arbitrary<RowChange> = fc
  .tuple(spoiling, fc.nat({ max: 150 }))
  .map(([row, place]) => ({ kind: 'insert', collection: 'items', rows: [row], place }))
/** One change, several together, or another file. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: write.map((change) => ({ change })) },
  { weight: 1, arbitrary: placing.map((change) => ({ change })) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.oneof(write, placing), { minLength: 2, maxLength: 5 })
      .map((changes) => ({ change: { kind: 'batch' as const, changes } })),
  },
  { weight: 1, arbitrary: table.map((reload) => ({ reload })) },
)
