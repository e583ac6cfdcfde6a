import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Draft } from '../../../../src/core/engine/changes/draft.ts'
import { Database } from '../../../../src/core/engine/data/database.ts'
import { lookup } from '../../../../src/core/engine/data/lookup.ts'
import { higherId, nextId } from '../../../../src/core/engine/data/next-id.ts'
import { Table } from '../../../../src/core/engine/data/table.ts'
import type { Row } from '../../../../src/core/engine/types.ts'
import { countReads } from '../../../support/engine/count-reads.ts'
import { runs } from '../../../support/length.ts'

const NAMING = { id: 'id', foreignKeySuffix: '_id' }

const odd = fc.constantFrom<unknown>(1, 2, 3, '2', '3', 'a', 'b', 7, 2.5, null, [1, 2], true)
const owner = fc.constantFrom<unknown>(1, 2, '1', null, [1, 2], { a: 1 })
const base = fc.oneof(
  fc.nat({ max: 90 }).map((count) => Array.from({ length: count }, (_, at) => at + 1)),
  fc.array(odd, { maxLength: 12 }),
  fc
    .tuple(fc.nat({ max: 80 }), fc.array(odd, { maxLength: 4 }))
    .map(([count, ids]) => [...Array.from({ length: count }, (_, at) => at + 1), ...ids]),
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), owner }) },
  fc.record({ kind: fc.constant('insert' as const), owner, id: fc.constantFrom(5, 99, 'new', '100') }),
  fc.record({ kind: fc.constant('replace' as const), owner, at: fc.nat() }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }) },
  fc.record({ kind: fc.constant('removeLast' as const) }),
)

/** The same on a plain array; a random id is what the draft made of it. */
async function onPlainArray(
  rows: Row[],
  one: typeof step extends fc.Arbitrary<infer T> ? T : never,
  draft: Draft,
): Promise<Row[]> {
  switch (one.kind) {
    case 'insert': {
      const given = 'id' in one ? one.id : undefined
      const highest = rows.reduce<unknown>((best, row) => higherId(best, row, 'id'), undefined)
      const expected = given ?? nextId(highest)
      const taken = rows.some(
        (row) => row.id !== null && row.id !== undefined && String(row.id) === String(expected),
      )
      const fields = { owner_id: one.owner, ...(given === undefined ? {} : { id: given }) }
      if (taken) {
        await expect(draft.insert('items', [fields])).rejects.toThrow('already has')
        return rows
      }
      const [made] = await draft.insert('items', [fields])
      if (typeof expected === 'number') expect(made?.id).toBe(expected)
      else expect(typeof made?.id).toBe('string')
      return made ? [...rows, made] : rows
    }
    case 'replace': {
      const old = rows[one.at % Math.max(1, rows.length)]
      if (!old) return rows
      const next = { id: old.id, owner_id: one.owner }
      await draft.replace('items', [old], [next])
      return rows.map((row) => (row === old ? next : row))
    }
    default: {
      const gone = one.kind === 'removeLast' ? rows.at(-1) : rows[one.at % Math.max(1, rows.length)]
      if (!gone) return rows
      expect(await draft.positionOf('items', gone)).toBe(rows.indexOf(gone))
      await draft.remove('items', [gone])
      return rows.filter((row) => row !== gone)
    }
  }
}

describe('a draft', () => {
  it('is what the same writes leave of a plain array, with its ids and what is looked up in it', async () => {
    await fc.assert(
      fc.asyncProperty(base, fc.array(step, { maxLength: 25 }), async (ids, steps) => {
        let model: Row[] = ids.map((id, at) => ({ id, owner_id: at % 3 }))
        const before = model
        const database = Database.of({ items: model.slice() })
        const draft = new Draft(database, NAMING)
        for (const one of steps) {
          model = await onPlainArray(model, one, draft)
          for (const id of ['1', '2', '3', '5', '99', 'a', '1,2', 'true']) {
            const [first] = model.filter((row) => row.id !== null && String(row.id) === id)
            expect(await draft.find('items', id)).toBe(first)
          }
          const find = await lookup(draft, 'items', 'owner_id')
          for (const text of ['1', '2', '1,2', '[object Object]', 'none']) {
            expect(find(text)).toEqual(
              model.filter((row) => row.owner_id !== null && String(row.owner_id) === text),
            )
          }
        }
        expect(draft.rows('items')).toEqual(model)
        expect(draft.database.table('items')?.rows.items()).toEqual(model)
        expect(database.toData()).toEqual({ items: before })
      }),
      runs(100),
    )
  })

  it.each<[string, (draft: Draft, n: number) => Promise<unknown>]>([
    [
      'POST and DELETE of the last',
      async (draft) => draft.remove('items', await draft.insert('items', [{}])),
    ],
    [
      'POST and DELETE of the highest',
      async (draft, n) => {
        await draft.remove('items', [(await draft.find('items', String(5000 - n))) ?? {}])
        await draft.insert('items', [{ id: `x${n}` }])
        await draft.remove('items', [(await draft.find('items', `x${n}`)) ?? {}])
        await draft.insert('items', [{}])
      },
    ],
    [
      'PATCH and DELETE',
      async (draft, n) => {
        const old = (await draft.find('items', String(2 * n + 1))) ?? {}
        await draft.replace('items', [old], [{ ...old, name: 'new' }])
        await draft.remove('items', [(await draft.find('items', String(2 * n + 2))) ?? {}])
      },
    ],
  ])('costs what it changes, not what there is: 300 times %s', async (_name, change) => {
    const all = Array.from({ length: 5000 }, (_none, at) => ({ id: at + 1 }))
    const items = countReads(all, 'id')
    const draft = new Draft(Database.of({ items: items.rows }), NAMING)
    for (let n = 0; n < 300; n++) await change(draft, n)
    // All of them a few times over, and not 300 times.
    expect(items.reads).toBeLessThan(10 * all.length)
  })

  it('of many rows is made in pieces, so that nobody waits for all of it', async () => {
    const items = Array.from({ length: 50_000 }, (_none, at) => ({ id: at + 1, n: 1 }))
    const draft = new Draft(Database.of({ items }), NAMING)
    const edit = vi.spyOn(Table.prototype, 'edit')
    onTestFinished(() => edit.mockRestore())
    const rows = draft.rows('items').toReversed()
    const next = rows.map((row) => ({ ...row, n: 2 }))
    await draft.replace('items', rows, next)
    expect(draft.rows('items')).toEqual(next.toReversed())
    expect(Math.max(...edit.mock.calls.map(([changes]) => changes.length))).toBeLessThan(20_000)
    expect(edit.mock.calls.length).toBeGreaterThan(2)
  })
})
