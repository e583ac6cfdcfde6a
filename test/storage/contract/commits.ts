import { describe, expect, it } from 'vitest'
import type { Commit } from '../../../src/storage/commit.ts'
import { DATA } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

/** What listeners hear. */
export function describeCommits({ open, opened, stateOf }: EngineUnderTest): void {
  describe('a commit', () => {
    it('is heard for each change, in order, when it can be read and before its writer is answered', async () => {
      const engine = await open()
      const heard: unknown[] = []
      engine.subscribe(({ names, note }) => {
        const found = engine.read({ kind: 'item', collection: 'posts', id: String(note) })
        if (found instanceof Promise) heard.push([names, note])
        else {
          expect(found.found).toBeDefined()
          heard.push([names, note])
        }
      })
      await Promise.all(
        [11, 12, 13].map(async (id) => {
          await engine.write({ kind: 'insert', collection: 'posts', rows: [{ id }] }, { note: id })
          expect(heard).toContainEqual([['posts'], id])
        }),
      )
      expect(heard).toEqual([11, 12, 13].map((id) => [['posts'], id]))
    })

    it('tells effects to those who ask for them only, and nothing to those who left', async () => {
      const engine = await open()
      const plain: Commit[] = []
      const leave = engine.subscribe((commit) => plain.push(commit))
      await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
      expect(plain).toEqual([{ names: ['posts'] }])
      const full: Commit[] = []
      const stop = engine.subscribe((commit) => full.push(commit), { effects: true })
      await engine.write({ kind: 'remove', collection: 'posts', id: '2' })
      expect(full).toMatchObject([{ effects: [{ removed: [{ row: DATA.posts[1], place: 1 }] }] }])
      leave()
      stop()
      await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
      expect([plain.length, full.length]).toEqual([2, 1])
    })

    it.each([[true], [undefined]])(
      'tells whether what replaced everything came from outside: %s',
      async (isOutside) => {
        const engine = await open()
        const commits: Commit[] = []
        engine.subscribe((commit) => commits.push(commit))
        await engine.write({ kind: 'replace-database', data: { posts: [] } }, isOutside ? { isOutside } : {})
        expect(commits.map((commit) => commit.isOutside)).toEqual([isOutside])
      },
    )

    it('is not made of a change that changes nothing', async () => {
      const engine = await open()
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      await engine.write({ kind: 'merge', collection: 'posts', id: '99', fields: {} })
      await engine.write({
        kind: 'batch',
        changes: [
          { kind: 'insert', collection: 'posts', rows: [{ id: 50 }] },
          { kind: 'remove', collection: 'posts', id: '50' },
        ],
      })
      expect(commits).toEqual([])
      expect(await stateOf(engine)).toEqual(DATA)
    })
  })

  it('takes over what was changed underneath, and tells so', async () => {
    const engine = await open()
    const edit = opened()?.edit
    if (!edit) return
    const commits: Commit[] = []
    engine.subscribe((commit) => commits.push(commit), { effects: true })
    expect(await engine.refresh()).toBe(false)
    await edit({ posts: [{ id: 9 }], news: [] })
    expect(await engine.refresh()).toBe(true)
    expect(await stateOf(engine)).toEqual({ posts: [{ id: 9 }], news: [] })
    expect(commits).toEqual([
      { names: expect.arrayContaining(['posts', 'news', 'profile']), isOutside: true },
    ])
    expect(await engine.refresh()).toBe(false)
  })
}
