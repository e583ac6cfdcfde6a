import { describe, expect, it } from 'vitest'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import { DATA } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

/** What listeners hear. */
export function describeCommits({ open, opened, stateOf }: EngineUnderTest): void {
  describe('a commit', () => {
    it('is heard for each change, in order, when it can be read and before its writer is answered', async () => {
      const engine = await open()
      const heard: unknown[] = []
      engine.subscribe(({ names, meta }) => {
        expect(engine.database.table('posts')?.rows.items().at(-1)).toBeDefined()
        heard.push([names, meta.url])
      })
      await Promise.all(
        ['11', '12', '13'].map(async (id) => {
          await engine.write({ kind: 'insert', collection: 'posts', rows: [{ id }] }, { meta: { url: id } })
          expect(heard).toContainEqual([['posts'], id])
        }),
      )
      expect(heard).toEqual(['11', '12', '13'].map((id) => [['posts'], id]))
    })

    it('tells effects, a version that grows, and nothing to those who left', async () => {
      const engine = await open()
      const heard: Commit[] = []
      const leave = engine.subscribe((commit) => heard.push(commit))
      await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
      await engine.write({ kind: 'remove', collection: 'posts', id: '2' })
      expect(heard).toMatchObject([
        { names: ['posts'], effects: [{ rows: [{ after: { id: 4 } }] }] },
        { names: ['posts'], effects: [{ rows: [{ before: DATA.posts[1] }] }] },
      ])
      expect(heard[1]?.version).toBe((heard[0]?.version ?? 0) + 1)
      leave()
      await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
      expect(heard).toHaveLength(2)
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
    engine.subscribe((commit) => commits.push(commit))
    expect(await engine.refresh()).toBe(false)
    await edit({ posts: [{ id: 9 }], news: [] })
    expect(await engine.refresh()).toBe(true)
    expect(await stateOf(engine)).toEqual({ posts: [{ id: 9 }], news: [] })
    expect(commits).toMatchObject([
      { names: expect.arrayContaining(['posts', 'news', 'profile']), isOutside: true },
    ])
    expect(await engine.refresh()).toBe(false)
  })
}
