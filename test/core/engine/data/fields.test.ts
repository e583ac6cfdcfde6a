import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasField, namesIn } from '../../../../src/core/engine/data/fields.ts'
import { Table } from '../../../../src/core/engine/data/table.ts'
import type { Row } from '../../../../src/core/engine/types.ts'
import { runs } from '../../../support/length.ts'

const NAMES = ['a', 'b', 'c', 'length', 'toString', '__proto__', 'a.b', 'b[0]', '0']
const row: fc.Arbitrary<Row> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'a.b'),
      fc.constantFrom(1, null, { b: 1 }, [{ d: { e: 2 } }, 2]),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, 'text', ['list'], 7).map((odd) => odd as unknown as Row) },
)

/** The slow and obvious way, for names without a path. */
function isIn(table: Table, name: string): boolean {
  return table.rows.items().some((one) => (one as Row | null) !== null && Object.hasOwn(Object(one), name))
}

/** The same of all names. */
function namesWithin(table: Table): { own: readonly string[]; inner: readonly string[] } {
  const [own, inner] = [new Set<string>(), new Set<string>()]
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) {
      if (!Array.isArray(value)) inner.add(name)
      visit(part)
    }
  }
  for (const one of table.rows.items()) {
    for (const name of Object.getOwnPropertyNames(Object(one))) own.add(name)
    for (const value of Object.values(Object(one))) visit(value)
  }
  return { own: [...own].sort(), inner: [...inner].sort() }
}

it('does not count again within what a change of a row leaves as it is', async () => {
  let looks = 0
  const ownKeys = (target: object) => {
    looks++
    return Reflect.ownKeys(target)
  }
  const value = new Proxy({ deep: 1 }, { ownKeys })
  const before = Table.of([{ id: 1, value, other: { gone: 1 } }])
  await namesIn(before)
  looks = 0
  const after = before.edit([{ rank: 0, after: { id: 1, value, other: { come: 1 } } }])
  expect(await namesIn(after)).toEqual({ own: ['id', 'value', 'other'], inner: ['deep', 'come'] })
  expect(looks).toBe(0)
})

it('counts again with pauses, for others, where a change leaves little as it is', async () => {
  const rows = (name: string) => {
    const list = Array.from({ length: 1000 }, () => ({ [name]: 1 }))
    return Array.from({ length: 500 }, (_, id) => ({ id, list }))
  }
  const before = Table.of(rows('gone'))
  await namesIn(before)
  const after = before.edit(rows('come').map((row, rank) => ({ rank, after: row })))
  let turns = 0
  const others = setInterval(() => turns++)
  const names = await namesIn(after)
  clearInterval(others)
  expect(names).toEqual({ own: ['id', 'list'], inner: ['come'] })
  expect(turns).toBeGreaterThan(0)
})

it('a table knows its fields, after random changes', async () => {
  const change = fc.record({ at: fc.nat(60), after: fc.option(row, { nil: undefined }), asks: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 50 }),
      fc.array(change, { maxLength: 30 }),
      async (rows, changes) => {
        let table = Table.of(rows)
        for (const { at, after, asks } of changes) {
          table = table.edit([{ rank: at, after }])
          if (!asks) continue
          const { own, inner } = await namesIn(table)
          expect({ own: [...own].sort(), inner: [...inner].sort() }).toEqual(namesWithin(table))
          for (const name of NAMES) {
            const isPath = /[.[]/.test(name) && !isIn(table, name)
            const isThere = isPath ? await hasField(Table.of(table.rows.items()), name) : isIn(table, name)
            expect(await hasField(table, name), name).toBe(isThere)
          }
        }
      },
    ),
    runs(60),
  )
})

it('looks at each row once, however many unknown names are asked for, and at no row twice after a change', async () => {
  let looks = 0
  const watched = (id: number) =>
    new Proxy<Row>(
      { id },
      {
        ownKeys(target) {
          looks++
          return Reflect.ownKeys(target)
        },
      },
    )
  const table = Table.of(Array.from({ length: 5000 }, (_, id) => watched(id)))
  for (let n = 0; n < 200; n++) expect(await hasField(table, `x${n}`)).toBe(false)
  expect(looks).toBe(5000)
  const next = table.edit([{ rank: 7, after: { id: 7, x3: 1 } }])
  expect([await hasField(next, 'x3'), await hasField(next, 'x4'), await hasField(table, 'x3')]).toEqual([
    true,
    false,
    false,
  ])
  expect(looks).toBe(5001)
})
