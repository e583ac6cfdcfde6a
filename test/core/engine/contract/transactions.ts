import { describe, expect, it } from 'vitest'
import type { Change, RowChange } from '../../../../src/core/engine/change.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import type { Hooks, RowEvent } from '../../../../src/core/engine/hooks.ts'
import { readRows } from '../../../../src/core/engine/read-rows.ts'
import type { ResourceRules } from '../../../../src/core/engine/resource-rules.ts'
import { StorageError } from '../../../../src/core/kernel/catalogue/error-classes.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

const DATA = { posts: [{ id: 1, title: 'a' }], notes: [{ id: 1, postId: 1 }], page: { name: 'x' } }

const titled = (title: string): RowChange => ({
  kind: 'merge',
  collection: 'posts',
  id: '1',
  fields: { title },
})
const noted: RowChange = { kind: 'insert', collection: 'notes', rows: [{ postId: 1 }] }
const titleIn = async (data: Pick<Engine, 'read'>) =>
  (await data.read({ kind: 'item', collection: 'posts', id: '1' })).found?.title

/** Functions that one transaction is made of, the changes that others make while it runs, and how often it runs. */
export function describeTransactions({ open, stateOf }: EngineUnderTest): void {
  describe('a transaction', () => {
    it('reads what it wrote, and is one commit', async () => {
      const engine = await open(DATA)
      const { version } = engine.history
      const seen = await engine.transact(async (transaction) => {
        await transaction.write(titled('b'))
        await transaction.write(noted)
        return [await titleIn(transaction), await titleIn(engine)]
      })
      expect(seen).toEqual(['b', 'a'])
      expect(engine.history.version).toBe(version + 1)
      expect(await stateOf(engine)).toMatchObject({ posts: [{ title: 'b' }], notes: [{ id: 1 }, { id: 2 }] })
      await engine.write({ kind: 'move', direction: 'undo' })
      expect(await stateOf(engine)).toEqual(DATA)
    })

    it('leaves nothing behind if it fails', async () => {
      const engine = await open(DATA)
      const failing = engine.transact(async (transaction) => {
        await transaction.write(titled('b'))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await stateOf(engine)).toEqual(DATA)
    })

    it('keeps its other writes if one is refused', async () => {
      const engine = await open(DATA)
      await engine.transact(async (transaction) => {
        await transaction.write(titled('b'))
        const taken = { kind: 'insert', collection: 'notes', rows: [{ id: 9 }, { id: 1 }] } as const
        await expect(transaction.write(taken)).rejects.toThrow(StorageError)
      })
      expect(await stateOf(engine)).toEqual({ ...DATA, posts: [{ id: 1, title: 'b' }] })
    })

    it.each<readonly [what: string, times: number, meanwhile: Change, runs: number, title: string]>([
      ['again if what it read changed', 1, titled('other'), 2, 'other+'],
      ['in the end while others wait', 99, titled('other'), 4, 'other+'],
      ['once if others changed something else', 1, noted, 1, 'a+'],
    ])('runs %s', async (_, times, meanwhile, runs, title) => {
      const engine = await open(DATA)
      let count = 0
      await engine.transact(async (transaction) => {
        const before = await titleIn(transaction)
        const other = count++ < times ? engine.write(meanwhile) : undefined
        // The last time, others wait for this one.
        if (count < 4) await other
        await transaction.write(titled(`${before}+`))
      })
      expect(count).toBe(runs)
      if (times === 1) expect(await titleIn(engine)).toBe(title)
    })
  })

  describe('hooks', () => {
    const hooking = (engine: Engine, hooks: Partial<Hooks>) => {
      const events: RowEvent[] = []
      const all: Hooks = {
        has: () => true,
        before: async ({ row }) => row,
        after: async (happened) => void events.push(...happened),
        ...hooks,
      }
      engine.hooks = all
      return events
    }
    const where = { where: [{ path: 'id', op: 'eq', values: ['1'] }] } as const
    const FIRST = { collection: 'posts', id: '1' } as const
    const WAYS: readonly (readonly [Change, events: string])[] = [
      [{ kind: 'insert', collection: 'posts', rows: [{ title: 'x' }, {}] }, 'create posts 2, create posts 3'],
      [{ ...FIRST, kind: 'replace', fields: { title: 'x' } }, 'update posts 1'],
      [titled('x'), 'update posts 1'],
      [{ ...FIRST, kind: 'patch', patch: { format: 'merge-patch', fields: { a: 1 } } }, 'update posts 1'],
      [{ kind: 'merge-where', collection: 'posts', where, fields: { a: 1 } }, 'update posts 1'],
      [
        { kind: 'patch-where', collection: 'posts', where, patch: { format: 'merge-patch', fields: {} } },
        'update posts 1',
      ],
      [{ ...FIRST, kind: 'remove', dependents: 'all' }, 'delete notes 1, delete posts 1'],
      [{ kind: 'remove-where', collection: 'posts', where, dependents: [] }, 'delete posts 1'],
      [{ kind: 'merge-object', name: 'page', fields: { name: 'y' } }, 'update page '],
      [{ kind: 'batch', changes: [noted, titled('x')] }, 'create notes 2, update posts 1'],
    ]

    it.each(WAYS)('run for $kind', async (change, expected) => {
      const engine = await open(DATA)
      const named = (all: readonly RowEvent[]) =>
        all.map(({ action, resource, row }) => `${action} ${resource} ${row.id ?? ''}`).sort()
      const seen: RowEvent[] = []
      const events = hooking(engine, {
        async before(event) {
          seen.push(event)
          return event.action === 'delete' ? event.row : { ...event.row, hooked: true }
        },
      })
      await engine.write(change)
      expect(named(events)).toEqual(expected.split(', '))
      expect(named(seen)).toEqual(expected.split(', '))
      expect(events.every(({ row, action }) => action === 'delete' || row.hooked)).toBe(true)
      await stateOf(engine)
    })

    it('write into the same commit, and refuse it as a whole', async () => {
      const engine = await open(DATA)
      const { version } = engine.history
      hooking(engine, {
        has: (_, resource) => resource === 'posts',
        async before({ row }, inside) {
          await inside.write(noted)
          if (row.title === 'no') throw new Error('no')
          return row
        },
      })
      await engine.write(titled('b'))
      expect(engine.history.version).toBe(version + 1)
      expect(await stateOf(engine)).toMatchObject({ posts: [{ title: 'b' }], notes: [{}, {}] })
      await expect(engine.write(titled('no'))).rejects.toThrow('no')
      expect(engine.history.version).toBe(version + 1)
    })

    it.each<readonly [Change]>([
      [{ kind: 'move', direction: 'undo' }],
      [{ kind: 'replace-database', data: DATA }],
    ])('do not run for $kind', async (change) => {
      const engine = await open(DATA)
      await engine.write(titled('b'))
      const events = hooking(engine, { before: () => Promise.reject(new Error('no')) })
      await engine.write(change)
      expect(events).toEqual([])
      expect(await stateOf(engine)).toEqual(DATA)
    })
  })

  describe('computed fields', () => {
    const rules = {
      now: () => new Date(0),
      resources: new Map([
        ['posts', { computed: { loud: ({ title }: Record<string, unknown>) => `${title}!` } }],
      ]),
    }

    it('may be others each time: what is undone is what is stored', async () => {
      const engine = await open(DATA)
      let computed = 0
      const counting = () => ({
        ...rules,
        resources: new Map([['posts', { computed: { count: () => ++computed } }]]),
      })
      await engine.useRules(counting())
      await engine.write({ kind: 'merge', collection: 'posts', id: '1', fields: { title: 'b' } })
      await engine.useRules(counting())
      await engine.write({ kind: 'move', direction: 'undo' })
      expect(await readRows(engine, 'posts')).toMatchObject([{ id: 1, title: 'a' }])
    })

    it('are in a row whose transaction began before them, and hidden ones are not', async () => {
      const engine = await open({ posts: [], users: [] })
      const resources = new Map<string, ResourceRules>(rules.resources).set('users', { hidden: ['password'] })
      await engine.transact(async (transaction) => {
        await transaction.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'a' }] })
        const user = { kind: 'insert', collection: 'users', rows: [{ password: 'x' }] } as const
        await transaction.write(user, { seals: [['x', 'SEALED']] })
        await engine.useRules({ ...rules, resources })
      })
      expect(await readRows(engine, 'posts')).toMatchObject([{ id: 1, title: 'a', loud: 'a!' }])
      expect(JSON.stringify(await readRows(engine, 'users'))).toBe('[{"id":1}]')
    })

    it('are served and changed with the row, and not stored', async () => {
      const engine = await open(DATA)
      await engine.useRules(rules)
      const { posts } = structuredClone((await engine.read({ kind: 'database' })).found)
      expect(posts).toEqual([{ id: 1, title: 'a', loud: 'a!' }])
      const change = {
        kind: 'merge',
        collection: 'posts',
        id: '1',
        fields: { title: 'b', loud: 'x' },
      } as const
      expect(await engine.write(change)).toMatchObject({ id: 1, title: 'b', loud: 'b!' })
      await engine.write({ kind: 'move', direction: 'undo' })
      expect(await titleIn(engine)).toBe('a')
      await engine.useRules(undefined)
      expect(await stateOf(engine)).toEqual(DATA)
    })
  })
}
