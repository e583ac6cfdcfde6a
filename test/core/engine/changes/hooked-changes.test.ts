import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'

const DATA = {
  posts: [{ id: 1 }],
  notes: [{ id: 1, postId: 1 }],
  likes: [{ id: 1, noteId: 1 }],
  page: { name: 'x' },
}
const RULES = {
  now: () => new Date(0),
  resources: new Map([
    ['notes', { references: { postId: { resource: 'posts', onDelete: 'cascade' as const } } }],
    ['likes', { references: { noteId: { resource: 'notes', onDelete: 'null' as const } } }],
  ]),
}
const REMOVE = { kind: 'remove', collection: 'posts', id: '1' } as const
const INSERT = { kind: 'insert', collection: 'posts', rows: [{}] } as const
const MERGE = { kind: 'merge', collection: 'posts', id: '1', fields: {} } as const

describe('a change', () => {
  it.each<readonly [hook: string, change: RowChange, rules: typeof RULES | undefined, runs: boolean]>([
    ['posts create', INSERT, undefined, true],
    ['posts update', INSERT, undefined, false],
    ['notes create', INSERT, undefined, false],
    ['posts update', MERGE, undefined, true],
    ['posts create', MERGE, undefined, false],
    ['page update', { kind: 'merge-object', name: 'page', fields: {} }, undefined, true],
    ['posts update', { kind: 'merge-object', name: 'page', fields: {} }, undefined, false],
    ['posts create', { kind: 'create-collection', name: 'posts' }, undefined, false],
    ['posts update', { kind: 'batch', changes: [INSERT, MERGE] }, undefined, true],
    ['notes update', { kind: 'batch', changes: [INSERT, MERGE] }, undefined, false],
    ['posts delete', REMOVE, undefined, true],
    ['notes delete', REMOVE, undefined, false],
    ['notes delete', { ...REMOVE, dependents: 'all' }, undefined, true],
    ['notes delete', { ...REMOVE, dependents: ['notes'] }, undefined, true],
    ['notes delete', { ...REMOVE, dependents: ['likes'] }, undefined, false],
    ['notes delete', REMOVE, RULES, true],
    ['likes update', REMOVE, RULES, true],
    ['likes delete', REMOVE, RULES, false],
  ])('runs a hook on %s, as %j, only if it does that to a row', async (hook, change, rules, runs) => {
    const engine = new Engine(structuredClone(DATA), { id: 'id', foreignKeySuffix: 'Id' })
    await engine.useRules(rules)
    const events: string[] = []
    engine.hooks = {
      has: (when, resource, action) => when === 'after' && `${resource} ${action}` === hook,
      before: async ({ row }) => row,
      after: async (done) => void events.push(...done.map(({ resource, action }) => `${resource} ${action}`)),
    }
    await engine.write(change)
    expect(events.includes(hook)).toBe(runs)
  })

  it('may write in its hooks what it wrote before: that is no duplicate of itself', async () => {
    const engine = new Engine(structuredClone(DATA), { id: 'id', foreignKeySuffix: 'Id' })
    await engine.useRules({ now: RULES.now, resources: new Map([['posts', { unique: [['title']] }]]) })
    engine.hooks = {
      has: (when, resource) => when === 'before' && resource === 'notes',
      async before({ row }, inside) {
        await inside.write({ kind: 'merge', collection: 'posts', id: '2', fields: { notes: 1 } })
        return row
      },
      after: async () => {},
    }
    const noted = { kind: 'insert', collection: 'notes', rows: [{ postId: 2 }] } as const
    const changes = [{ ...INSERT, rows: [{ title: 'a' }] }, noted]
    await engine.write({ kind: 'batch', changes })
    const { found } = await engine.read({ kind: 'item', collection: 'posts', id: '2' })
    expect(found).toEqual({ id: 2, title: 'a', notes: 1 })
    await expect(engine.write({ ...INSERT, rows: [{ title: 'a' }] })).rejects.toThrow('already taken')
  })
})
