import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import type { Row } from '../../../../src/core/engine/types.ts'
import { countReads } from '../../../support/engine/count-reads.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const SIZE = 40_000

/** An engine whose rows count how often their ids are read. */
async function open() {
  const items = countReads(
    Array.from({ length: SIZE }, (_none, at) => ({ id: at + 1 })),
    'id',
  )
  const parts = Array.from({ length: SIZE }, (_none, at) => ({ id: at + 1, itemId: (at % 2) + 1 }))
  const engine = new Engine({ items: items.rows, parts }, NAMING)
  const commits: Commit[] = []
  engine.subscribe((commit) => commits.push(commit))
  // Its ids are known from the start, as with the first request.
  await engine.read({ kind: 'item', collection: 'items', id: '1' })
  return { engine, items, commits }
}

describe('a change', () => {
  it.each<[string, (turn: number) => RowChange]>([
    ['POST', () => ({ kind: 'insert', collection: 'items', rows: [{}] })],
    ['PUT', (turn) => ({ kind: 'replace', collection: 'items', id: `${turn * 7 + 1}`, fields: { a: 1 } })],
    ['PATCH', (turn) => ({ kind: 'merge', collection: 'items', id: `${turn * 7 + 1}`, fields: { a: 1 } })],
    ['DELETE', (turn) => ({ kind: 'remove', collection: 'items', id: `${turn * 7 + 1}` })],
  ])('100 times %s, saved together, costs what it changes and not what there is', async (_, change) => {
    const { engine, items, commits } = await open()
    items.reads = 0
    await Promise.all(Array.from({ length: 100 }, (_none, turn) => engine.write(change(turn))))
    expect(commits).toHaveLength(100)
    expect(items.reads).toBeLessThan(SIZE / 4)
    items.reads = 0
    await engine.write({ kind: 'move', direction: 'undo', to: (commits[0]?.version ?? 0) - 1 })
    expect(items.reads).toBeLessThan(SIZE / 4)
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
