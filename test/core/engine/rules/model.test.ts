import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import type { ResourceRules, Rules } from '../../../../src/core/engine/resource-rules.ts'
import type { Data, Row } from '../../../../src/core/engine/types.ts'
import type { StorageError } from '../../../../src/core/kernel/catalogue/error-classes.ts'
import { openLive } from '../../../../src/stores/live/live-data.ts'
import { runs } from '../../../support/length.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

type OnDelete = NonNullable<ResourceRules['references']>[string]['onDelete']
const ON_DELETE: OnDelete[] = [undefined, 'keep', 'cascade', 'restrict', 'null']

/** Two collections that point at each other and at themselves, by keys of either kind. */
interface Given {
  readonly onDelete: readonly OnDelete[]
  readonly changes: readonly RowChange[]
}

const id = fc.integer({ min: 1, max: 6 })
const key = fc.oneof(id, id.map(String), fc.constant(null))
const value = fc.constantFrom('a', 'b', 'c', 1, '1', null)
/** Few at a time: a row that breaks one rule tells nothing about the others. */
const fields = fc.oneof(
  ...[
    { name: value },
    { first: value, last: value },
    { size: fc.constantFrom(0, 1, -1, 'x') },
    { aId: key },
    { bIds: fc.oneof(fc.array(key, { maxLength: 3 }), key) },
    { up: key },
    { name: value, up: key },
  ].map((each) => fc.record(each as Record<string, fc.Arbitrary<unknown>>)),
)
const collection = fc.constantFrom('a', 'b')
const where = id.map((most) => ({ where: [{ path: 'id', op: 'lte' as const, values: [String(most)] }] }))
const dependents = fc.constantFrom<'all' | readonly string[]>([], ['a'], ['b'], 'all')

const single: fc.Arbitrary<RowChange> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    collection,
    rows: fc
      .array(fc.record({ row: fields, id: fc.option(id) }), { minLength: 1, maxLength: 3 })
      .map((rows) => rows.map(({ row, id: own }) => (own === null ? row : { ...row, id: own }))),
  }),
  fc.record({
    kind: fc.constantFrom('replace' as const, 'merge' as const),
    collection,
    id: id.map(String),
    fields,
  }),
  fc.record({ kind: fc.constant('merge-where' as const), collection, where, fields }),
  fc.record({ kind: fc.constant('remove' as const), collection, id: id.map(String), dependents }),
  fc.record({ kind: fc.constant('remove-where' as const), collection, where, dependents }),
)
const change: fc.Arbitrary<RowChange> = fc.oneof(
  { weight: 4, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc
      .array(single, { minLength: 2, maxLength: 4 })
      .map((changes) => ({ kind: 'batch' as const, changes })),
  },
)
const given: fc.Arbitrary<Given> = fc.record({
  onDelete: fc.array(fc.constantFrom(...ON_DELETE), { minLength: 4, maxLength: 4 }),
  changes: fc.array(change, { minLength: 1, maxLength: 25 }),
})

function resourcesOf(onDelete: readonly OnDelete[]): Map<string, ResourceRules> {
  const schema: ResourceRules['schema'] = {
    readTexts: (row) => row,
    keepReadOnly: (row) => row,
    fillIn: (row) => row,
    faultsOf: ({ size }) =>
      typeof size === 'string' || Number(size ?? 0) < 0 ? [{ path: 'size', message: 'is bad' }] : [],
  }
  return new Map([
    [
      'a',
      {
        schema,
        unique: [['name'], ['first', 'last']],
        references: {
          bIds: { resource: 'b', onDelete: onDelete[0] },
          up: { resource: 'a', onDelete: onDelete[1] },
        },
      },
    ],
    [
      'b',
      {
        schema,
        unique: [['name']],
        references: {
          aId: { resource: 'a', onDelete: onDelete[2] },
          up: { resource: 'b', onDelete: onDelete[3] },
        },
      },
    ],
  ])
}

/** What is wrong with data, found out the slow and obvious way. */
function breaches(
  data: Data,
  resources: ReadonlyMap<string, ResourceRules>,
  seen: ReadonlySet<string>,
): string[] {
  const rowsOf = (name: string) => data[name] as Row[]
  return [...resources].flatMap(([name, { schema, unique = [], references = {} }]) => [
    ...rowsOf(name).flatMap((row) =>
      schema?.faultsOf(row).length ? [`${name} ${row.id} does not fit`] : [],
    ),
    ...unique.flatMap((columns) => {
      const keys = rowsOf(name)
        .filter((row) => columns.every((column) => row[column] !== undefined && row[column] !== null))
        .map((row) => JSON.stringify(columns.map((column) => String(row[column]))))
      return keys
        .filter((one, at) => keys.indexOf(one) !== at)
        .map((one) => `${name} ${columns} ${one} twice`)
    }),
    ...Object.entries(references).flatMap(([field, { resource, onDelete }]) =>
      rowsOf(name).flatMap((row) =>
        [row[field]]
          .flat()
          .filter((one) => one !== undefined && one !== null)
          .filter((one) => !rowsOf(resource).some((parent) => String(parent.id) === String(one)))
          // With `keep`, what was there once may be gone by now.
          .filter((one) => !((onDelete ?? 'keep') === 'keep' && seen.has(`${resource} ${one}`)))
          .map((one) => `${name} ${row.id} ${field} points at ${one}`),
      ),
    ),
  ])
}

type Open = (data: Data) => Engine

const inMemory: Open = (data) => new Engine(data, naming)

/** Some rows to begin with, and as many more that nothing points at. */
function open(rules: Rules, more: number, make = inMemory, isFork = false): Engine {
  const rows = () => [
    ...[1, 2, 3, 4].map(
      (n): Row => ({ id: n, name: `row ${n}`, aId: n, bIds: [1, String(n)], up: n % 2 ? null : 1 }),
    ),
    ...Array.from({ length: more }, (_, n): Row => ({ id: 1000 + n, name: `other ${n}` })),
  ]
  const engine = make({ a: rows(), b: rows() })
  void engine.useRules(rules)
  return isFork ? engine.fork(1) : engine
}

function rulesFor(onDelete: readonly OnDelete[]): Rules {
  return { now: () => new Date(0), resources: resourcesOf(onDelete) }
}

/** The message may name any of the rows at fault. */
function outcomeOf(write: Promise<unknown>): Promise<{ code: string; value?: unknown; errors?: unknown }> {
  return write.then(
    (value) => ({ code: 'taken', value }),
    ({ code, errors }: StorageError) => ({ code, errors }),
  )
}

describe('rules, beside a slow and obvious check', () => {
  it.each<[string, number, Open, boolean]>([
    ['one by one, in a table of few rows', 0, inMemory, false],
    ['one by one, in a table of many', 100, inMemory, false],
    ['one by one, in data that others hold', 100, (data) => openLive({ data }, naming), false],
    ['one by one, in a fork', 100, inMemory, true],
  ])(
    'hold after every change that is taken, and one that is refused leaves nothing: %s',
    async (_, more, make, isFork) => {
      const outcomes = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(given, async ({ onDelete, changes }) => {
          const rules = rulesFor(onDelete)
          const engine = open(rules, more, make, isFork)
          const seen = new Set<string>()
          for (const one of changes) {
            for (const name of ['a', 'b']) {
              for (const row of engine.database.table(name)?.rows.items() ?? []) seen.add(`${name} ${row.id}`)
            }
            const before = JSON.stringify(engine.database.toData())
            const { code: outcome } = await outcomeOf(engine.write(one))
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
            if (outcome !== 'taken') expect(JSON.stringify(engine.database.toData())).toBe(before)
            else expect(breaches(engine.database.toData(), rules.resources, seen)).toEqual([])
          }
        }),
        runs(25),
      )
      // Else it would prove nothing.
      for (const outcome of ['taken', 'VALIDATION_FAILED', 'NOT_UNIQUE', 'STILL_REFERENCED']) {
        expect([outcome, outcomes.get(outcome) ?? 0]).toEqual([outcome, expect.toSatisfy((n) => n > 2)])
      }
    },
  )

  it('take and refuse the same when many changes are saved together as one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.constantFrom(0, 100), async ({ onDelete, changes }, more) => {
        const [slow, fast] = [open(rulesFor(onDelete), more), open(rulesFor(onDelete), more)]
        const expected: unknown[] = []
        for (const one of changes) expected.push(await outcomeOf(slow.write(one)))
        expect(await Promise.all(changes.map((one) => outcomeOf(fast.write(one))))).toEqual(expected)
        expect(fast.database.toData()).toEqual(slow.database.toData())
      }),
      runs(40),
    )
  })
})
