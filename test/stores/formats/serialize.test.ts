import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Database } from '../../../src/core/engine/data/database.ts'
import { Table } from '../../../src/core/engine/data/table.ts'
import { hideFields } from '../../../src/core/engine/rules/served-fields.ts'
import type { Data, Row } from '../../../src/core/engine/types.ts'
import { Serializer } from '../../../src/stores/formats/serialize.ts'
import { runs } from '../../support/length.ts'

async function textOf(serializer: Serializer, database: Database): Promise<string> {
  return Buffer.concat(await serializer.serialize(database)).toString()
}

function rowsOf(count: number): { id: number; text: string; deep: object }[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    text: `line\nend "${index}" \u2028 é 😀`,
    deep: { list: [index, [], {}] },
  }))
}

describe('what is written', () => {
  it.each<[string, Data]>([
    ['nothing', {}],
    ['an empty collection', { posts: [] }],
    ['an object', { profile: { name: 'a', list: [1, { b: 2 }] }, empty: {} }],
    ['rows that are no objects', { tags: ['a', 1, null, [], [1], true] }],
    ['names in need of quotes', { 'a "b"\n': [{ '\n': '\n' }], __proto__x: [] }],
    ['a collection called __proto__', JSON.parse('{"__proto__":[{"id":1}],"b":{}}')],
    ['huge rows that are no objects', { texts: ['a'.repeat(1e5), 1], lists: [rowsOf(3000), []] }],
    ['huge rows', { rows: [huge[0], { a: 1 }, huge[1], huge[2], null], more: huge }],
    ['a huge object', { huge: { huge }, text: 'a'.repeat(200_000) }],
    ['several blocks', { posts: rowsOf(1000), more: rowsOf(257), one: rowsOf(256) }],
  ])('is what JSON.stringify writes: %s', async (_, data) => {
    expect((await textOf(new Serializer(), Database.of(data))) === JSON.stringify(data, null, 2)).toBe(true)
  })

  it('has what rows hide, in its place', async () => {
    const rows = rowsOf(100)
    const hidden = rows.map((row) => hideFields(row, ['text']))
    const text = await textOf(new Serializer(), Database.of({ rows: hidden }))
    expect(text === JSON.stringify({ rows }, null, 2)).toBe(true)
  })
})

const LONG_TEXT = 'x'.repeat(70_000)
const huge: Row[] = Array.from({ length: 20 }, (_, n) => ({ n, text: 'x'.repeat(100_000) }))
const hugeTable = Table.of(huge)

describe('writing again', () => {
  const edit = fc.record({
    kind: fc.constantFrom('append', 'replace', 'remove', 'insert'),
    at: fc.nat(),
    count: fc.integer({ min: 1, max: 300 }),
  })

  it('gives the same as writing for the first time, whatever happened in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 15 }), fc.nat({ max: 900 }), async (edits, size) => {
        const serializer = new Serializer()
        let table = Table.of(rowsOf(size))
        for (const { kind, at, count } of edits) {
          const place = table.size === 0 ? 0 : at % table.size
          for (const row of rowsOf(count)) {
            const fresh = row.id % 150 === 7 ? { ...row, text: LONG_TEXT } : row
            const rank = table.rows.rankAt((place + row.id) % Math.max(1, table.size))
            if (kind === 'remove') table = table.edit([{ rank: rank }])
            else
              table = table.edit([
                {
                  rank: kind === 'append' ? table.nextRank : kind === 'insert' ? rank + 0.5 : rank,
                  after: fresh,
                },
              ])
          }
          const database = Database.of({ before: { a: 1 } }).with('rows', table)
          expect((await textOf(serializer, database)) === JSON.stringify(database.toData(), null, 2)).toBe(
            true,
          )
        }
      }),
      runs(15),
    )
  })

  it('writes only the leaf of a changed row', async () => {
    const serializer = new Serializer()
    const table = Table.of(rowsOf(10_000))
    const database = Database.of({}).with('rows', table)
    const before = new Set(await serializer.serialize(database))
    const after = await serializer.serialize(
      database.with('rows', table.edit([{ rank: 5000, after: { id: 5001 } }])),
    )
    // The first leaf is written without its comma each time.
    expect(after.slice(3).filter((piece) => !before.has(piece) && piece.length > 100)).toHaveLength(1)
  })

  it.each<[string, (database: Database, text: string) => Database]>([
    ['an object', (database, text) => database.with('profile', { text })],
    [
      'a row among others that are huge',
      (database, text) => database.with('rows', hugeTable.edit([{ rank: 20, after: { text } }])),
    ],
  ])('writes only what changed: %s', async (_, change) => {
    const serializer = new Serializer()
    const base = Database.of({ settings: { pages: rowsOf(3000) } })
    const before = new Set(await serializer.serialize(change(base, 'a')))
    const database = change(base, 'b')
    const after = await serializer.serialize(database)
    expect(Buffer.concat(after).toString() === JSON.stringify(database.toData(), null, 2)).toBe(true)
    const written = after.filter((piece) => !before.has(piece)).reduce((sum, { length }) => sum + length, 0)
    expect(written).toBeLessThan(1000)
  })
})
