import fc from 'fast-check'
import type { Condition, ListQuery, SortKey, Where, Window } from '../../../src/core/engine/types.ts'
import type { Operator } from '../../../src/core/kernel/catalogue/operators.ts'

/** What databases store otherwise than JavaScript does, sort otherwise, or do not store at all. */
const texts = [
  ...[
    '',
    'a',
    'A',
    'ab',
    'aB',
    'b c',
    '10',
    '9',
    '010',
    '0',
    'false',
    'true',
    'null',
    'a\nb',
    'a\tb',
    '%',
    '_',
    'a%b',
    '\\',
  ],
  ...[
    'ä',
    'Ä',
    'ß',
    'ΑΣ',
    'ας',
    'ασ',
    '\u212a',
    'İx',
    'ı',
    '\0',
    'a\0b',
    '\ufffd',
    '\ud83d',
    '\ude00',
    '😀',
    '😀b',
    '\ue000',
  ],
  ...[
    '\uffee',
    '日本',
    "'",
    '"',
    '$1',
    'x'.repeat(199),
    'x'.repeat(200),
    `${'x'.repeat(200)}y`,
    `${'x'.repeat(199)}😀`,
  ],
]
const numbers = [
  0, 1, 2, 2.5, 3, 10, -1, -2.5, 1e21, 1e-7, 123456789012345680, 0.1, 5e-324, 1.7976931348623157e308,
]

const text = fc.constantFrom(...texts)
const plain = fc.constantFrom('', 'a', 'A', 'ab', 'B', 'b c', '10', '9', 'true', 'zz')
const number = fc.constantFrom(...numbers)
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null))
const anything = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ n: number, s: text }, { requiredKeys: [] }),
  fc.constantFrom<unknown>([{ n: 1 }, { n: 2 }], [[['a']], 'b'], { n: { deep: [1, { s: 'a' }] } }, []),
)

/** How the values of a column come: each column of a table has one of these. */
const column = fc.constantFrom(
  number,
  plain,
  text,
  fc.boolean(),
  fc.option(number),
  fc.option(plain),
  fc.option(fc.boolean()),
  fc.oneof(number, plain),
  scalar,
  anything,
)
const nested = column.map((inner) => fc.record({ n: inner, s: plain }, { requiredKeys: [] }))

const NAMES = ['a', 'b', 'length', 'in', 'a_gt', '__proto__', 'to"ny', 'x\0y'] as const

/** The rows of a collection whose columns are of all kinds; now and then one is odd. */
export const wideTable: fc.Arbitrary<readonly unknown[]> = fc
  .record({
    columns: fc.tuple(...NAMES.map(() => fc.option(column, { freq: 6 }))),
    inner: nested,
    list: fc.option(column),
    ids: fc.constantFrom<(at: number) => unknown>(
      (at) => at + 1,
      (at) => at + 1,
      (at) => `id${at}`,
      (at) => (at % 7 === 3 ? 3 : at),
      (at) => (at % 5 === 0 ? undefined : at % 2 ? at : `x${at}`),
    ),
    oddities: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      fc.array(fc.oneof(scalar, fc.constant([1])), { maxLength: 2 }),
    ),
    dots: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    isGapless: fc.boolean(),
    size: fc.integer({ min: 0, max: 40 }),
  })
  .chain(({ columns, inner, list, ids, oddities, dots, isGapless, size }) => {
    const own = NAMES.flatMap((name, at) => {
      const values = columns[at]
      return values ? [[name, values] as const] : []
    })
    const cells = fc.tuple(
      fc.tuple(
        ...own.map(([, values]) => (isGapless ? values : fc.option(values, { nil: undefined, freq: 5 }))),
      ),
      fc.option(inner, { nil: undefined }),
      list
        ? fc.option(fc.array(fc.record({ n: list }, { requiredKeys: [] }), { maxLength: 3 }), {
            nil: undefined,
          })
        : fc.constant(undefined),
      dots ? fc.option(plain, { nil: undefined }) : fc.constant(undefined),
    )
    return fc.array(cells, { minLength: size, maxLength: size }).map((all) => {
      const rows: unknown[] = all.map(([values, object, entries, dotted], at) => {
        const fields: [string, unknown][] = [['id', ids(at)]]
        for (const [nth, [name]] of own.entries()) fields.push([name, values[nth]])
        fields.push(['nested', object], ['list', entries], ['nested.n', dotted])
        return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
      })
      return [...rows.slice(0, 3), ...oddities, ...rows.slice(3)]
    })
  })

/** Paths of such a table, and some that are not. */
export const widePath = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...NAMES, 'id', 'nested.n', 'nested.s', 'list.n') },
  fc.constantFrom(
    'nested',
    'list',
    'list.0.n',
    'a.length',
    'nope',
    'nested.nope',
    'ids',
    'a[0]',
    'nested.n.deep',
    '',
    '-a',
  ),
)
/** What a condition on it may compare with. */
export const wideValue = fc.oneof(
  { weight: 3, arbitrary: plain },
  text,
  number.map(String),
  fc.constantFrom(
    '1e1',
    'NaN',
    'Infinity',
    '-0',
    '0x10',
    ' 1',
    'id3',
    'x3',
    '^a',
    'a|b',
    '[object Object]',
    '1,2',
    'k',
    'i',
  ),
)
const operator = fc.constantFrom<Operator>(
  ...(['eq', 'eq', 'ne', 'gte', 'lte', 'gt', 'lt', 'in', 'nin', 'between', 'null', 'like'] as const),
  ...(['contains', 'startsWith', 'endsWith'] as const),
)

const condition: fc.Arbitrary<Condition> = fc.tuple(widePath, operator).chain(([at, op]) => {
  const values: fc.Arbitrary<string[]> =
    op === 'null'
      ? fc.constantFrom(['true'], ['false'])
      : fc.array(wideValue, { minLength: op === 'between' ? 2 : 0, maxLength: op === 'between' ? 4 : 2 })
  return fc.record({ path: fc.constant(at), op: fc.constant(op), values, required: fc.boolean() })
})
const where: fc.Arbitrary<Where> = fc.letrec<{ any: Where }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    { weight: 8, arbitrary: condition },
    fc.array(tie('any'), { maxLength: 2 }).map((or) => ({ or })),
    fc.array(tie('any'), { maxLength: 2 }).map((and) => ({ and })),
    tie('any').map((not) => ({ not })),
  ),
})).any
const count = fc.integer({ min: -3, max: 45 })
const window: fc.Arbitrary<Window> = fc.oneof(
  fc.constant({ kind: 'all' as const }),
  fc.record({ kind: fc.constant('limit' as const), count }),
  fc.record({
    kind: fc.constant('page' as const),
    page: fc.integer({ min: 1, max: 6 }),
    size: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('envelope' as const),
    page: fc.integer({ min: 1, max: 6 }),
    size: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record(
    { kind: fc.constant('slice' as const), start: count, end: count },
    { requiredKeys: ['kind', 'start'] },
  ),
)
const sortKey: fc.Arbitrary<SortKey> = fc.record({
  path: widePath,
  order: fc.constantFrom('asc' as const, 'desc' as const),
})

/** Any query of such a table. */
export const wideQuery: fc.Arbitrary<ListQuery> = fc
  .record({
    search: fc.option(
      fc.oneof(text, plain).map((search) => search.toLowerCase()),
      { freq: 5, nil: undefined },
    ),
    where: fc.oneof(
      fc.constant([]),
      { weight: 3, arbitrary: fc.array(where, { minLength: 1, maxLength: 1 }) },
      fc.array(where, { maxLength: 3 }),
    ),
    sort: fc.oneof(fc.constant([]), fc.array(sortKey, { minLength: 1, maxLength: 2 })),
    window,
  })
  .map(({ search, ...rest }) => ({ ...rest, ...(search ? { search } : {}), embed: [], expand: [] }))
