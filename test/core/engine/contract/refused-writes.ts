import { describe, expect, it } from 'vitest'
import type { Change, RowChange } from '../../../../src/core/engine/change.ts'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import { DATA } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'
import { REFUSALS } from './refusals.ts'

/** What a change that is refused leaves behind: nothing. */
export function describeRefusedWrites({ open, stateOf }: EngineUnderTest): void {
  describe('refuses, and leaves nothing of', () => {
    it.each(REFUSALS)('%s', async (_, change, reason) => {
      const engine = await open()
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      // Those that are saved with it are not touched.
      const answers = await Promise.allSettled([
        engine.write({ kind: 'insert', collection: 'comments', rows: [{ a: 1 }] }),
        engine.write(change),
        engine.write({ kind: 'insert', collection: 'comments', rows: [{ a: 2 }] }),
      ])
      expect(answers).toMatchObject([{ status: 'fulfilled' }, { reason }, { status: 'fulfilled' }])
      const comments = [...DATA.comments, { a: 1, id: 4 }, { a: 2, id: 5 }]
      expect(await stateOf(engine)).toEqual({ ...DATA, comments })
      expect(commits.map(({ names }) => names)).toEqual([['comments'], ['comments']])
      await expect(engine.write(change, { dryRun: true })).rejects.toMatchObject(reason)
    })

    it.each<[string, Change<'replace' | 'merge' | 'patch' | 'remove'>]>([
      ['replace', { kind: 'replace', collection: 'posts', id: '1', fields: {} }],
      ['merge', { kind: 'merge', collection: 'posts', id: '1', fields: {} }],
      [
        'patch',
        {
          kind: 'patch',
          collection: 'posts',
          id: '1',
          patch: { format: 'json-patch', operations: [{ op: 'test', path: '/title', value: 'theirs' }] },
        },
      ],
      ['remove', { kind: 'remove', collection: 'posts', id: '1' }],
    ])('a %s of a row that is another than its reader saw', async (_, change) => {
      const engine = await open()
      const { found: seen } = await engine.read({ kind: 'item', collection: 'posts', id: '1' })
      const unchangedSince = structuredClone(seen ?? {})
      await engine.write({ kind: 'merge', collection: 'posts', id: '1', fields: { title: 'theirs' } })
      const before = await stateOf(engine)
      await expect(engine.write(change, { unchangedSince })).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
      })
      expect(await stateOf(engine)).toEqual(before)
      const now = { ...unchangedSince, title: 'theirs' }
      expect(await engine.write(change, { unchangedSince: now })).toBeDefined()
      const missing = { ...change, id: '99' }
      expect(await engine.write(missing, { unchangedSince: now })).toBeUndefined()
    })

    it.each<RowChange>([
      { kind: 'merge', collection: 'comments', id: '3', fields: { postId: 1, a: 1 } },
      { kind: 'replace', collection: 'comments', id: '3', fields: { postId: 1, a: 1 } },
    ])('the key of a row within its parent: $kind', async (change) => {
      const engine = await open()
      const before = await stateOf(engine)
      const other = { within: { key: 'postId', id: '1' } }
      expect(await engine.write(change, other)).toBeUndefined()
      expect(await engine.write({ kind: 'remove', collection: 'comments', id: '3' }, other)).toBeUndefined()
      expect(await stateOf(engine)).toEqual(before)
      const written = await engine.write(change, { within: { key: 'postId', id: '2' } })
      expect(written).toMatchObject({ postId: 2, a: 1 })
    })

    it.each<Change<'merge-where' | 'patch-where' | 'remove-where'>>([
      { kind: 'merge-where', collection: 'comments', where: { where: [] }, fields: { postId: 1, a: 1 } },
      {
        kind: 'patch-where',
        collection: 'comments',
        where: { where: [] },
        patch: { format: 'merge-patch', fields: { postId: null, a: 1 } },
      },
      { kind: 'remove-where', collection: 'comments', where: { where: [] } },
    ])('the keys of all rows within their parent, and other rows: $kind', async (change) => {
      const engine = await open()
      const isWithin = (row: unknown) => String(Reflect.get(Object(row), 'postId')) === '2'
      const [within, others] = [DATA.comments.filter(isWithin), DATA.comments.filter((row) => !isWithin(row))]
      const written = await engine.write(change, { within: { key: 'postId', id: '2' } })
      expect(written?.filter(isWithin)).toHaveLength(within.length)
      const after = [(await stateOf(engine)).comments].flat()
      expect(after.filter((row) => !isWithin(row))).toEqual(others)
    })

    it.each<RowChange>([
      { kind: 'merge-object', name: 'profile', fields: { a: 1 } },
      { kind: 'replace-object', name: 'profile', fields: { a: 1 } },
      { kind: 'patch-object', name: 'profile', patch: { format: 'merge-patch', fields: { a: 1 } } },
    ])('a $kind of one that is another than its reader saw', async (change) => {
      const engine = await open()
      const unchangedSince = { name: 'theirs' }
      await expect(engine.write(change, { unchangedSince })).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
      })
      expect(await engine.write(change, { unchangedSince: DATA.profile })).toMatchObject({ a: 1 })
    })
  })
}
