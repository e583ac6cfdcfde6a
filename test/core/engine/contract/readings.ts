import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import type { ReadResult } from '../../../../src/core/engine/question.ts'
import { ALL } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

/** How an engine found what it found, and for how long that holds. */
export function describeReadings({ open }: EngineUnderTest): void {
  describe('explains a list', () => {
    it('as it is understood and found', async () => {
      const engine = await open()
      const where = [
        { path: 'title_gt', op: 'eq', values: ['a'], orElse: { path: 'title', op: 'gt', values: ['a'] } },
        { path: 'nope', op: 'eq', values: ['1'] },
      ] as const
      const list = await engine.read({ kind: 'list', collection: 'posts', query: { ...ALL, where } })
      const { found } = await engine.read({
        kind: 'explain',
        collection: 'posts',
        query: { ...ALL, where },
      })
      expect(found?.query.where).toEqual([{ path: 'title', op: 'gt', values: ['a'], required: true }])
      expect(found?.ignored).toEqual([{ name: 'nope', reason: 'unknown field' }])
      expect(list.ignored).toEqual(found?.ignored)
      expect(found?.plan.matched).toBe(list.found?.total)
      expect(found?.plan.examined).toBeGreaterThanOrEqual(0)
    })

    it('and names the fields of its rows', async () => {
      const engine = await open()
      const { found } = await engine.read({ kind: 'fields', collection: 'posts' })
      expect(found).toEqual(expect.arrayContaining(['id', 'title']))
      expect((await engine.read({ kind: 'fields', collection: 'profile' })).found).toBeUndefined()
      const names = await engine.read({ kind: 'names', collection: 'posts' })
      expect(names.found?.own).toEqual(expect.arrayContaining(['id', 'title']))
      expect((await engine.read({ kind: 'names', collection: 'profile' })).found).toBeUndefined()
      expect((await engine.read({ kind: 'explain', collection: 'nope', query: ALL })).found).toBeUndefined()
    })
  })

  describe('a reading', () => {
    const questions: [string, (engine: Engine) => Promise<ReadResult<unknown>>, RowChange, RowChange][] = [
      [
        'a row',
        async (engine) => engine.read({ kind: 'item', collection: 'posts', id: '1' }),
        { kind: 'merge', collection: 'posts', id: '2', fields: { title: 'x' } },
        { kind: 'merge', collection: 'posts', id: '1', fields: { title: 'x' } },
      ],
      [
        'a list',
        async (engine) => engine.read({ kind: 'list', collection: 'posts', query: ALL }),
        { kind: 'insert', collection: 'comments', rows: [{}] },
        { kind: 'remove', collection: 'posts', id: '2' },
      ],
      [
        'an object',
        async (engine) => engine.read({ kind: 'object', name: 'profile' }),
        { kind: 'insert', collection: 'comments', rows: [{}] },
        { kind: 'merge-object', name: 'profile', fields: { name: 'x' } },
      ],
      [
        'rows with relations',
        async (engine) =>
          engine.read({ kind: 'list', collection: 'posts', query: { ...ALL, embed: ['comments'] } }),
        { kind: 'remove', collection: 'comments', id: '99' },
        { kind: 'remove', collection: 'comments', id: '1' },
      ],
    ]

    it.each(questions)('of %s is current until that changes', async (_, ask, other, own) => {
      const engine = await open()
      const reading = await ask(engine)
      expect(reading.isCurrent()).toBe(true)
      await engine.write(other, { dryRun: true })
      await engine.write(own, { dryRun: true })
      await engine.write(other)
      expect(reading.isCurrent()).toBe(true)
      await engine.write(own)
      expect(reading.isCurrent()).toBe(false)
      const again = await ask(engine)
      expect(again.isCurrent()).toBe(true)
    })
  })
}
