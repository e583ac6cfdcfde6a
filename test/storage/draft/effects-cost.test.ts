import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/storage/change.ts'
import type { Commit } from '../../../src/storage/commit.ts'
import { invertEffects } from '../../../src/storage/invert-effects.ts'
import type { Row } from '../../../src/storage/types.ts'
import { LocalStore } from '../../support/engine/local-store.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const SIZE = 20_000

/** An engine whose rows count how often their ids are looked at. */
function open() {
  const looks = { count: 0 }
  const items = Array.from({ length: SIZE }, (_none, at) =>
    Object.defineProperty({}, 'id', {
      enumerable: true,
      get: () => {
        looks.count++
        return at + 1
      },
    }),
  )
  const parts = Array.from({ length: SIZE }, (_none, at) => ({ id: at + 1, itemId: (at % 2) + 1 }))
  const store = new LocalStore({ items, parts }, { ...NAMING, isOwned: true })
  const commits: Commit[] = []
  store.subscribe((commit) => commits.push(commit), { effects: true })
  // Its ids are known from the start, as with the first request.
  store.find('items', 1)
  return { store, looks, commits }
}

describe('with somebody who listens for effects', () => {
  it.each<[string, (turn: number) => RowChange]>([
    ['POST', () => ({ kind: 'insert', collection: 'items', rows: [{}] })],
    ['PUT', (turn) => ({ kind: 'replace', collection: 'items', id: `${turn * 7 + 1}`, fields: { a: 1 } })],
    ['PATCH', (turn) => ({ kind: 'merge', collection: 'items', id: `${turn * 7 + 1}`, fields: { a: 1 } })],
    ['DELETE', (turn) => ({ kind: 'remove', collection: 'items', id: `${turn * 7 + 1}` })],
  ])('100 times %s, saved together, costs what it changes and not what there is', async (_, change) => {
    const { store, looks, commits } = open()
    looks.count = 0
    await Promise.all(Array.from({ length: 100 }, (_none, turn) => store.write(change(turn))))
    expect(commits).toHaveLength(100)
    expect(looks.count).toBeLessThan(5 * SIZE)
  })

  it('a cascade through many rows gives others their turn, and so does taking it back', async () => {
    const { store, commits } = open()
    const before = JSON.stringify(store.data)
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    await store.write({ kind: 'remove', collection: 'items', id: '1', dependents: 'all' })
    const effects = commits[0]?.effects ?? []
    const removed = effects.flatMap((effect): readonly Row[] =>
      effect.kind === 'rows' ? effect.removed.map(({ row }) => row) : [],
    )
    expect(removed).toHaveLength(SIZE / 2 + 1)
    expect(turns).toBeGreaterThan(1)
    await store.write({ kind: 'apply', effects: invertEffects(effects) })
    clearImmediate(timer)
    expect(JSON.stringify(store.data) === before).toBe(true)
  })
})
