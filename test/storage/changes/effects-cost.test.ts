import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/storage/change.ts'
import type { Commit } from '../../../src/storage/data/commit.ts'
import { Engine } from '../../../src/storage/engine/engine.ts'
import type { Row } from '../../../src/storage/types.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const SIZE = 20_000

/** An engine whose rows count how often their ids are looked at. */
async function open() {
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
  const engine = new Engine({ items, parts }, NAMING)
  const commits: Commit[] = []
  engine.subscribe((commit) => commits.push(commit))
  // Its ids are known from the start, as with the first request.
  await engine.read({ kind: 'item', collection: 'items', id: '1' })
  return { engine, looks, commits }
}

describe('a change', () => {
  it.each<[string, (turn: number) => RowChange]>([
    ['POST', () => ({ kind: 'insert', collection: 'items', rows: [{}] })],
    ['PUT', (turn) => ({ kind: 'replace', collection: 'items', id: `${turn * 7 + 1}`, fields: { a: 1 } })],
    ['PATCH', (turn) => ({ kind: 'merge', collection: 'items', id: `${turn * 7 + 1}`, fields: { a: 1 } })],
    ['DELETE', (turn) => ({ kind: 'remove', collection: 'items', id: `${turn * 7 + 1}` })],
  ])('100 times %s, saved together, costs what it changes and not what there is', async (_, change) => {
    const { engine, looks, commits } = await open()
    looks.count = 0
    await Promise.all(Array.from({ length: 100 }, (_none, turn) => engine.write(change(turn))))
    expect(commits).toHaveLength(100)
    expect(looks.count).toBeLessThan(SIZE / 4)
    looks.count = 0
    await engine.write({ kind: 'move', direction: 'undo', to: (commits[0]?.version ?? 0) - 1 })
    expect(looks.count).toBeLessThan(SIZE / 4)
  })

  it('that cascades through many rows gives others their turn, and so does taking it back', async () => {
    const { engine, commits } = await open()
    const before = JSON.stringify(engine.database.toData())
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    await engine.write({ kind: 'remove', collection: 'items', id: '1', dependents: 'all' })
    const effects = commits[0]?.effects ?? []
    const removed = effects.flatMap((effect): readonly Row[] =>
      effect.kind === 'rows' ? effect.rows.flatMap(({ before }) => (before ? [before] : [])) : [],
    )
    expect(removed).toHaveLength(SIZE / 2 + 1)
    expect(turns).toBeGreaterThan(1)
    turns = 0
    await engine.write({ kind: 'move', direction: 'undo' })
    expect(turns).toBeGreaterThan(1)
    clearImmediate(timer)
    expect(JSON.stringify(engine.database.toData()) === before).toBe(true)
  })
})
