import { describe, expect, it } from 'vitest'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import { readRows } from '../../../../src/core/engine/read-rows.ts'
import { CHANGES } from './changes.ts'
import { DATA } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

/** What changes do, how they are taken back, and what a dry run leaves alone. */
export function describeWrites({ open, stateOf }: EngineUnderTest): void {
  describe('changed', () => {
    it.each(CHANGES)('%s', async (_, change, outcome, expected) => {
      const engine = await open()
      expect(await engine.write(structuredClone(change))).toEqual(outcome)
      const state = await stateOf(engine)
      expect(state).toEqual(expected(structuredClone(DATA)))
      // Order counts: of rows, and of the keys in each.
      expect(JSON.stringify(state)).toBe(JSON.stringify({ ...DATA, ...expected(structuredClone(DATA)) }))
      for (const collection of ['posts', 'comments']) {
        for (const id of [1, 2, 3, 4, 8, 9, 10]) {
          const rows = (await readRows(engine, collection)) ?? []
          const { found } = await engine.read({ kind: 'item', collection, id: String(id) })
          expect(found).toEqual(rows.find((row) => row.id === id))
        }
      }
    })

    it.each(CHANGES)('tells in one commit what it did, and takes it back exactly: %s', async (_, change) => {
      const engine = await open()
      const before = JSON.stringify(await stateOf(engine))
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      await engine.write(change, { meta: { url: '/me' } })
      const after = JSON.stringify(await stateOf(engine))
      expect(commits).toHaveLength(after === before ? 0 : 1)
      const [commit] = commits
      if (!commit) return
      expect(commit.meta).toEqual({ url: '/me' })
      expect(new Set(commit.effects?.map((effect) => effect.name))).toEqual(new Set(commit.names))
      await engine.write({ kind: 'move', direction: 'undo' })
      expect(JSON.stringify(await stateOf(engine))).toBe(before)
      await engine.write({ kind: 'move', direction: 'redo' })
      expect(JSON.stringify(await stateOf(engine))).toBe(after)
      expect(commits).toHaveLength(3)
    })

    it.each(CHANGES)('answers a dry run, and does nothing: %s', async (_, change, outcome) => {
      const engine = await open()
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      expect(await engine.write(change, { dryRun: true })).toEqual(outcome)
      expect(await stateOf(engine)).toEqual(DATA)
      expect(commits).toEqual([])
    })

    it('replaces everything, and tells of every name of before and after', async () => {
      const engine = await open()
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      const data = { posts: [{ id: 7 }], others: [], single: {} }
      await engine.write({ kind: 'replace-database', data }, { dryRun: true })
      expect(await stateOf(engine)).toEqual(DATA)
      await engine.write({ kind: 'replace-database', data }, { meta: { url: '/1' } })
      expect(await stateOf(engine)).toEqual(data)
      expect(commits).toMatchObject([
        { names: expect.arrayContaining([...Object.keys(DATA), 'others', 'single']), meta: { url: '/1' } },
      ])
      expect(commits[0]?.effects).toBeUndefined()
      expect((await engine.read({ kind: 'item', collection: 'posts', id: '7' })).found).toEqual({ id: 7 })
    })
  })
}
