import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { RowsImage } from '../../../src/storage/json/rows-image.ts'
import { Serializer } from '../../../src/storage/json/serialize.ts'
import { Table } from '../../../src/storage/table/table.ts'
import { TableDraft } from '../../../src/storage/table/table-draft.ts'
import type { Data } from '../../../src/storage/types.ts'
import { done } from '../../support/done.ts'

async function textOf(serializer: Serializer, data: Data): Promise<string> {
  return Buffer.concat(await serializer.serialize(data)).toString()
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
    ['huge rows', { rows: [huge[0], { a: 1 }, huge[1], huge[2], null], more: huge }],
    ['a huge object', { huge: { huge }, text: 'a'.repeat(200_000) }],
    ['several blocks', { posts: rowsOf(1000), more: rowsOf(257), one: rowsOf(256) }],
  ])('is what JSON.stringify writes: %s', async (_, data) => {
    expect((await textOf(new Serializer(), data)) === JSON.stringify(data, null, 2)).toBe(true)
  })
})

const LONG_TEXT = 'x'.repeat(70_000)
const huge = Array.from({ length: 20 }, (_, n) => ({ n, text: 'x'.repeat(100_000) }))

describe('writing again', () => {
  const edit = fc.record({
    kind: fc.constantFrom('append', 'replace', 'remove', 'insert', 'reverse', 'twice'),
    at: fc.nat(),
    count: fc.integer({ min: 1, max: 300 }),
  })

  it('gives the same as writing for the first time, whatever happened in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 15 }), fc.nat({ max: 900 }), async (edits, size) => {
        const serializer = new Serializer()
        let rows: object[] = rowsOf(size)
        for (const { kind, at, count } of edits) {
          const place = rows.length === 0 ? 0 : at % rows.length
          const fresh = rowsOf(count).map((row) => (row.id % 150 === 7 ? { ...row, text: LONG_TEXT } : row))
          rows = rows.slice()
          if (kind === 'append') rows.push(...fresh)
          else if (kind === 'insert') rows.splice(place, 0, ...fresh)
          else if (kind === 'remove') rows.splice(place, count)
          else if (kind === 'reverse') rows.reverse()
          else if (kind === 'twice') rows.push(...rows.slice(place, place + count))
          else rows.splice(place, count, ...fresh)
          const data = { before: { a: 1 }, rows }
          expect((await textOf(serializer, data)) === JSON.stringify(data, null, 2)).toBe(true)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('rebuilds only the block of a changed row', async () => {
    const serializer = new Serializer()
    const rows = rowsOf(10_000)
    const before = await serializer.serialize({ rows })
    const after = await serializer.serialize({
      rows: rows.with(5000, { ...rowsOf(1)[0], id: 5001 } as never),
    })
    const kept = new Set(before.map((piece) => piece.buffer))
    expect(after.filter((piece) => !kept.has(piece.buffer) && piece.length > 4096)).toHaveLength(1)
  })

  it.each<[string, (text: string) => Data]>([
    ['an object', (text) => ({ profile: { text } })],
    ['a row among others that are huge', (text) => ({ rows: [...huge, { text }] })],
  ])('writes out again only what changed: %s', async (_, dataOf) => {
    const serializer = new Serializer()
    const same = { settings: { pages: rowsOf(3000) } }
    const before = await serializer.serialize({ ...same, ...dataOf('a') })
    const data = { ...same, ...dataOf('b') }
    const after = await serializer.serialize(data)
    expect(Buffer.concat(after).toString() === JSON.stringify(data, null, 2)).toBe(true)
    const kept = new Set(before)
    const written = after.filter((piece) => !kept.has(piece)).reduce((sum, { length }) => sum + length, 0)
    expect(written).toBeLessThan(1000)
  })

  it('checks no row of a full block after rows were added', async () => {
    const serializer = new Serializer()
    const table = new Table(rowsOf(10_000), 'id')
    await serializer.serialize({ rows: new RowsImage(table) })
    const draft = new TableDraft(table, { id: 'id' })
    const added = rowsOf(3).map(({ text }) => ({ text }))
    done(draft.insert(added, 'rows'))
    const image = new RowsImage(table, draft)
    const expected = JSON.stringify({ rows: image }, null, 2)
    const looks = vi.spyOn(image, 'toJSON')
    expect(await textOf(serializer, { rows: image })).toBe(expected)
    expect(looks).not.toHaveBeenCalled()
  })

  it('does not fragment under single inserts', async () => {
    const serializer = new Serializer()
    const rows: object[] = []
    for (let count = 0; count < 1500; count++) {
      rows.push({ count })
      await serializer.serialize({ rows: rows.slice() })
    }
    expect((await serializer.serialize({ rows })).length).toBeLessThan(30)
  })
})
