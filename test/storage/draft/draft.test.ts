import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Draft } from '../../../src/storage/draft/draft.ts'
import { lookupIn } from '../../../src/storage/index/lookup.ts'
import { higherId, nextId } from '../../../src/storage/table/next-id.ts'
import type { Row } from '../../../src/storage/types.ts'
import { done } from '../../support/done.ts'
import { LocalStore } from '../../support/engine/local-store.ts'

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
function onPlainArray(
  rows: Row[],
  one: typeof step extends fc.Arbitrary<infer T> ? T : never,
  draft: Draft,
): Row[] {
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
        expect(() => done(draft.insert('items', [fields]))).toThrow('already has')
        return rows
      }
      const [made] = done(draft.insert('items', [fields]))
      if (typeof expected === 'number') expect(made?.id).toBe(expected)
      else expect(typeof made?.id).toBe('string')
      return made ? [...rows, made] : rows
    }
    case 'replace': {
      const old = rows[one.at % Math.max(1, rows.length)]
      // Of rows that have an id in common, only the first can be asked for.
      if (!old || draft.find('items', old.id) !== old) return rows
      const next = { id: old.id, owner_id: one.owner }
      draft.replace('items', old, next)
      return rows.map((row) => (row === old ? next : row))
    }
    default: {
      const gone = one.kind === 'removeLast' ? rows.at(-1) : rows[one.at % Math.max(1, rows.length)]
      if (gone) draft.remove('items', [gone])
      return rows.filter((row) => row !== gone)
    }
  }
}

describe('a draft', () => {
  it('is what the same writes leave of a plain array, with its ids and what is looked up in it', async () => {
    await fc.assert(
      fc.asyncProperty(base, fc.array(step, { maxLength: 25 }), async (ids, steps) => {
        let model: Row[] = ids.map((id, at) => ({ id, owner_id: at % 3 }))
        const store = new LocalStore({ items: model.slice() }, { ...NAMING, isOwned: true })
        await store.lookup('items', 'owner_id')
        const draft = new Draft(store.local)
        for (const one of steps) {
          model = onPlainArray(model, one, draft)
          for (const id of ['1', '2', '3', '5', '99', 'a', '1,2', 'true']) {
            const [first] = model.filter((row) => row.id !== null && String(row.id) === id)
            expect(draft.find('items', id)).toBe(first)
          }
          for (const text of ['1', '2', '1,2', '[object Object]', 'none']) {
            const found = done(lookupIn(draft, 'items', 'owner_id'))(text)
            const expected = model.filter((row) => row.owner_id !== null && String(row.owner_id) === text)
            expect(new Set(found)).toEqual(new Set(expected))
            expect(found).toHaveLength(expected.length)
          }
        }
        expect(draft.rows('items')).toEqual(model)
        draft.publish()
        expect(store.data.items).toEqual(model)
      }),
      { numRuns: 300 },
    )
  })

  it.each<[string, (draft: Draft, n: number) => unknown]>([
    ['POST and DELETE of the last', (draft) => draft.remove('items', done(draft.insert('items', [{}])))],
    [
      'POST and DELETE of the highest',
      (draft, n) => {
        draft.remove('items', [draft.find('items', String(5000 - n)) ?? {}])
        done(draft.insert('items', [{ id: `x${n}` }]))
        draft.remove('items', [draft.find('items', `x${n}`) ?? {}])
        done(draft.insert('items', [{}]))
      },
    ],
    [
      'PATCH and DELETE',
      (draft, n) => {
        const old = draft.find('items', String(2 * n + 1)) ?? {}
        draft.replace('items', old, { ...old, name: 'new' })
        draft.remove('items', [draft.find('items', String(2 * n + 2)) ?? {}])
      },
    ],
  ])('costs what it changes, not what there is: 300 times %s', (_name, change) => {
    let reads = 0
    const rows = Array.from({ length: 5000 }, (_none, at) =>
      Object.defineProperty({}, 'id', {
        enumerable: true,
        get: () => {
          reads++
          return at + 1
        },
      }),
    )
    const store = new LocalStore({ items: rows }, { ...NAMING, isOwned: true })
    const draft = new Draft(store.local)
    for (let n = 0; n < 300; n++) change(draft, n)
    // All of them a few times over, and not 300 times.
    expect(reads).toBeLessThan(10 * rows.length)
  })
})
