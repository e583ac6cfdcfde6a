import fc from 'fast-check'
import type { Parameters } from './query-model.ts'

const number = fc.constantFrom(0, 1, 2, 2.5, 3, 10, -1)
const text = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'Abc',
  'b c',
  '10',
  '2',
  'ä',
  'Äb',
  'ΑΣ',
  'ας',
  '\u212a',
  'true',
  'İx',
  '𐐀b',
)
const scalar = fc.oneof(number, text, fc.boolean(), fc.constant(null))
const list = fc.oneof(
  { weight: 5, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  fc.constantFrom<unknown>([{ a: 1 }], [['a'], 'b'], [[]]),
)
const place = fc.record(
  { c: text, n: fc.oneof(number, fc.constant(null)) },
  { requiredKeys: [], noNullPrototype: true },
)

const row = fc.record(
  {
    n: number,
    s: text,
    flag: fc.boolean(),
    gaps: fc.option(number),
    notes: fc.option(text),
    mixed: fc.oneof(scalar, list),
    tags: fc.array(fc.oneof(text, number), { maxLength: 3 }),
    lists: list,
    nested: fc.record(
      { n: number, s: text, tags: fc.array(text, { maxLength: 2 }) },
      { requiredKeys: ['n'], noNullPrototype: true },
    ),
    places: fc.array(place, { maxLength: 3 }),
    'nested.s': fc.option(text),
    n_gt: number,
    's:contains': text,
    logged_in: fc.boolean(),
    in: number,
  },
  { requiredKeys: ['n', 's', 'nested', 'tags'], noNullPrototype: true },
)

/** Rows with columns of one kind, of several, with gaps, with lists; and names that look like operators. */
export const rows = fc
  // Few of them are scanned, more are looked up.
  .oneof(fc.array(row, { minLength: 1, maxLength: 8 }), fc.array(row, { minLength: 66, maxLength: 110 }))
  // Columns that no row has are columns too.
  .chain((all) =>
    fc.subarray(['n_gt', 's:contains', 'logged_in', 'in', 'nested.s', 'mixed', 'lists']).map((gone) =>
      all.map((row, at) => ({
        id: at + 1,
        ...Object.fromEntries(Object.entries(row).filter(([name]) => !gone.includes(name))),
      })),
    ),
  )

const path = fc.constantFrom(
  ...[
    'id',
    'n',
    's',
    'flag',
    'gaps',
    'notes',
    'mixed',
    'tags',
    'lists',
    'nested.n',
    'nested.s',
    'nested.tags',
  ],
  ...['places.c', 'places.n', 'places.0.c', 'nope', 'logged', 'in', 'n_gt', 'nested', 'places'],
)
const operator = fc.constantFrom(
  ...(['eq', 'ne', 'gte', 'lte', 'like', 'gt', 'lt', 'in', 'nin', 'contains'] as const),
  ...(['startsWith', 'endsWith', 'null', 'between'] as const),
)
/** Plain as patterns, and without commas and quotes. */
const plain = fc.constantFrom(
  '',
  '0',
  '1',
  '2',
  '10',
  '2.5',
  'a',
  'A',
  'b',
  'ab',
  'b c',
  'true',
  'ä',
  'ας',
  'ΑΣ',
  'k',
  'i',
  'zz',
)

function valueFor(op: string): fc.Arbitrary<string> {
  const csv = fc.array(plain, { maxLength: 3 }).map((all) => all.join(', '))
  if (op === 'between')
    return fc.oneof({ weight: 5, arbitrary: fc.tuple(plain, plain).map((ends) => ends.join(',')) }, csv)
  if (op === 'in' || op === 'nin') return csv
  return op === 'null' ? fc.constantFrom('true', 'false', 'yes', '') : plain
}

const parameter = fc
  .tuple(path, fc.constantFrom('_', ':'), operator)
  .chain(([field, sign, op]) =>
    fc.tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(`${field}${sign}${op}`) },
        fc.constant(field),
        fc.constantFrom('n_gt', 's:contains', 'logged_in', 'n_gtt', 'nope'),
      ),
      fc.array(valueFor(op), { minLength: 1, maxLength: 2 }),
    ),
  )

export const parameters: fc.Arbitrary<Parameters> = fc
  .array(parameter, { maxLength: 3 })
  .map((all) => Object.fromEntries(all))

/** Fields that some row has, whatever the rows. */
const known = fc.constantFrom('id', 'n', 's', 'tags', 'nested.n')
const json = fc.oneof(number, plain, fc.boolean())

function operandFor(op: string): fc.Arbitrary<unknown> {
  if (op === 'between')
    return fc.tuple(fc.oneof(number, plain.filter(Boolean)), fc.oneof(number, plain.filter(Boolean)))
  if (op === 'in' || op === 'nin')
    return fc.array(fc.oneof(number, plain.filter(Boolean), fc.boolean()), { maxLength: 3 })
  if (op === 'null') return fc.boolean()
  return op === 'eq' || op === 'ne' ? fc.oneof(json, fc.constant(null)) : json
}

const condition = fc.tuple(known, operator).chain(([field, op]) =>
  fc.oneof(
    { weight: 4, arbitrary: operandFor(op).map((own) => ({ [field]: { [op]: own } })) },
    fc.tuple(operandFor(op), number).map(([own, least]) => ({ [field]: { [op]: own, gt: least } })),
    fc.oneof(json, fc.constant(null), fc.array(json, { maxLength: 2 })).map((own) => ({ [field]: own })),
    operandFor(op).map((own) => ({ nested: { n: { [op]: own } } })),
  ),
)

/** Any `_where`. */
export const where: fc.Arbitrary<object> = fc.letrec<{ any: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: condition },
    fc.array(tie('any'), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('any'), { maxLength: 3 }).map((or) => ({ or })),
    tie('any').map((not) => ({ not })),
    fc.tuple(condition, fc.array(tie('any'), { maxLength: 2 })).map(([own, or]) => ({ ...own, or })),
  ),
})).any
