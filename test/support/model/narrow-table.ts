import fc from 'fast-check'
import type { Condition, ListQuery, Operator, SortKey, Where, Window } from '../../../src/storage/types.ts'

const X = 'x'.repeat(199)

/** What a column holds, and what else is asked of it: near misses. */
const KINDS: readonly (readonly [held: readonly unknown[], asked: readonly string[]])[] = [
  [
    [0, 1, 2, 10, 16, 1e21, -1, 0.1],
    ['1e1', '010', ' 1', '1e21', '1e+21', '', '-0', 'NaN', '10.0', '0x10', '3'],
  ],
  [
    ['', 'a', 'A', 'ab', 'b', '10', '9', 'true', 'a\nb', '%', '_', '\\'],
    ['B', 'k', '1', 'a\n', '1e1'],
  ],
  [
    ['\uffee', '😀', '😀b', '日本', 'z', '\ue000', 'ä'],
    ['Ä', '😀a', '\uffef', '本'],
  ],
  [
    [X, `${X}x`, `${X}xy`, `${X}xz`, `${X}😀`, 'x'],
    [`${X}xa`, 'y', 'xx'],
  ],
  [
    ['a\0b', 'a\ufffdb', 'a\ud83db', 'a', '\ufffd', 'b'],
    ['a\0', '\ud83d', '\0'],
  ],
  [
    ['ΑΣ', 'ας', 'ασ', 'Σ', '\u212a', 'k', 'İx', 'ß'],
    ['σ', 'ς', 'i', 'K', 'SS'],
  ],
  [
    [true, false],
    ['true', 'false', '1', '0', ''],
  ],
]

interface Asked {
  readonly items: readonly unknown[]
  readonly queries: readonly ListQuery[]
}

const OPERATORS: readonly Operator[] = [
  ...(['eq', 'eq', 'ne', 'gte', 'lte', 'gt', 'lt', 'in', 'nin', 'between', 'null', 'like'] as const),
  ...(['contains', 'startsWith', 'endsWith'] as const),
]

/** Small tables with one column to look at, and queries that look at it. */
export const narrowQueries: fc.Arbitrary<Asked> = fc
  .record({
    kinds: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...KINDS).map((one) => [one]) },
      fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...KINDS)),
    ),
    gap: fc.constantFrom<readonly unknown[]>([], [null], [undefined], [null, undefined], [null, undefined]),
    form: fc.constantFrom('plain', 'plain', 'plain', 'nested', 'dotted', 'list'),
    odd: fc.oneof({ weight: 12, arbitrary: fc.constant([]) }, fc.constantFrom([1], ['a'], [null], [['a']])),
  })
  .chain(({ kinds, gap, form, odd }) => {
    const held = kinds.flatMap(([values]) => values)
    const texts = [...held.map(String), ...kinds.flatMap(([, asked]) => asked)]
    // Of three, one is missing or null, if any is.
    const cell = fc.constantFrom(...held, ...Array.from({ length: held.length / 2 }, () => gap).flat())
    const items = fc
      .array(fc.tuple(cell, fc.constantFrom(1, 1, 2)), { minLength: 1, maxLength: 10 })
      .map((cells) => [...cells.map(([value, n], at) => rowOf(form, value, n, at + 1)), ...odd])
    const path = form === 'plain' || form === 'list' ? 'a' : 'o.a'
    return fc.record({ items, queries: fc.array(queryOf(path, texts), { minLength: 25, maxLength: 35 }) })
  })

function rowOf(form: string, value: unknown, n: number, id: number): unknown {
  if (value === undefined) return { id, n }
  if (form === 'list') return { id, n, a: n === 2 ? [value] : value }
  if (form === 'nested' || (form === 'dotted' && n === 1)) return { id, n, o: { a: value } }
  // Both: the name counts.
  if (form === 'dotted') return { id, n, 'o.a': value, o: { a: 'b' } }
  return { id, n, a: value }
}

function queryOf(path: string, texts: readonly string[]): fc.Arbitrary<ListQuery> {
  const text = fc.constantFrom(...texts)
  const condition: fc.Arbitrary<Condition> = fc.constantFrom(...OPERATORS).chain((op) => {
    const least = op === 'between' ? 2 : 1
    const values =
      op === 'null'
        ? fc.constantFrom(['true'], ['false'])
        : fc.array(text, { minLength: least, maxLength: least * 2 })
    return values.map((given) => ({ path, op, values: given }))
  })
  const where: fc.Arbitrary<Where> = fc.oneof(
    { weight: 6, arbitrary: condition },
    condition.map((not) => ({ not })),
    fc.tuple(condition, condition).map((or) => ({ or })),
    fc.tuple(condition, condition).map(([one, other]) => ({ and: [one, { not: other }] })),
  )
  const order = fc.constantFrom('asc' as const, 'desc' as const)
  const sort: fc.Arbitrary<SortKey[]> = fc.oneof(
    order.map((way) => [{ path, order: way }]),
    fc.tuple(order, order).map(([one, other]) => [
      { path: 'n', order: one },
      { path, order: other },
    ]),
  )
  const count = fc.integer({ min: -4, max: 6 })
  const window: fc.Arbitrary<Window> = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'all' as const }) },
    fc.record({ kind: fc.constant('limit' as const), count }),
    fc.record({ kind: fc.constant('slice' as const), start: count, end: count }),
    fc.record({
      kind: fc.constant('page' as const),
      page: fc.integer({ min: 1, max: 3 }),
      size: fc.constant(2),
    }),
  )
  const none: never[] = []
  return fc
    .record({
      // Values that stand side by side are no text together.
      search: fc.option(fc.oneof({ weight: 6, arbitrary: text }, fc.constantFrom('1\na', '1\n1')), {
        freq: 3,
        nil: undefined,
      }),
      where: fc.oneof({ weight: 3, arbitrary: where.map((one) => [one]) }, fc.constant(none)),
      sort: fc.oneof(sort, fc.constant(none)),
      window,
    })
    .map(({ search, ...rest }) => ({
      ...rest,
      ...(search ? { search: search.toLowerCase() } : {}),
      embed: [],
      expand: [],
    }))
}
