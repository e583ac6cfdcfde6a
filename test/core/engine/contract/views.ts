import { describe, expect, it } from 'vitest'
import type { Change, ChangeKind, RowChange, WriteOptions } from '../../../../src/core/engine/change.ts'
import type { Access, Action } from '../../../../src/core/engine/rules/rights.ts'
import { accessWith, type Said } from '../../../support/engine/view-with.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

const POSTS = [
  { id: 1, title: 'mine', userId: 1 },
  { id: 2, title: 'yours', userId: '2' },
  { id: 3, title: 'nobody’s' },
]
const VIEWED = {
  posts: POSTS,
  comments: [
    { id: 1, postId: 1, userId: 1 },
    { id: 2, postId: 2, userId: 1 },
    { id: 3, postId: 2, userId: 2 },
  ],
  profile: { name: 'mine', userId: 1 },
}

/** One way to write for each kind of change there is: a new kind needs one, too. To row 1, or to the profile. */
const WAYS: Readonly<
  Record<
    Exclude<ChangeKind, 'move' | 'transaction'>,
    readonly [change: (id: number) => Change, Action, resource: string]
  >
> = {
  insert: [() => ({ kind: 'insert', collection: 'posts', rows: [{ title: 'x' }] }), 'create', 'posts'],
  replace: [(id) => ({ ...post(id), kind: 'replace', fields: { title: 'x' } }), 'update', 'posts'],
  merge: [(id) => ({ ...post(id), kind: 'merge', fields: { title: 'x' } }), 'update', 'posts'],
  patch: [(id) => ({ ...post(id), kind: 'patch', patch: merging({ title: 'x' }) }), 'update', 'posts'],
  remove: [(id) => ({ ...post(id), kind: 'remove' }), 'delete', 'posts'],
  'merge-where': [(id) => ({ ...posts(id), kind: 'merge-where', fields: { title: 'x' } }), 'update', 'posts'],
  'patch-where': [
    (id) => ({ ...posts(id), kind: 'patch-where', patch: merging({ title: 'x' }) }),
    'update',
    'posts',
  ],
  'remove-where': [(id) => ({ ...posts(id), kind: 'remove-where' }), 'delete', 'posts'],
  'replace-object': [
    () => ({ kind: 'replace-object', name: 'profile', fields: { name: 'x' } }),
    'update',
    'profile',
  ],
  'merge-object': [
    () => ({ kind: 'merge-object', name: 'profile', fields: { name: 'x' } }),
    'update',
    'profile',
  ],
  'patch-object': [
    () => ({ kind: 'patch-object', name: 'profile', patch: merging({ name: 'x' }) }),
    'update',
    'profile',
  ],
  batch: [
    (id) => ({
      kind: 'batch',
      changes: [
        { kind: 'insert', collection: 'comments', rows: [{}] },
        { ...post(id), kind: 'merge', fields: { title: 'x' } },
      ],
    }),
    'update',
    'posts',
  ],
  'create-collection': [() => ({ kind: 'create-collection', name: 'more' }), 'create', ''],
  'replace-database': [() => ({ kind: 'replace-database', data: {} }), 'delete', ''],
}

const EVERY = Object.values(WAYS).map(([change, action, resource]) => ({
  kind: change(1).kind,
  change,
  action,
  resource,
}))
/** Those that are about one row of posts, or about some. */
const OF_ROWS = EVERY.filter(({ resource, action }) => resource === 'posts' && action !== 'create')

const MINE = [{ field: 'userId', isUser: true }]

/** What a client may do, in every engine and every way there is to write. */
export function describeViews({ open, stateOf, list }: EngineUnderTest): void {
  describe('in the name of a client', () => {
    async function refused(change: Change, access: Access, code: string, options: WriteOptions = {}) {
      const engine = await open(VIEWED)
      const write = (more: WriteOptions) => engine.write(change, { ...options, ...more, access })
      await expect(write({ dryRun: true })).rejects.toMatchObject({ code })
      const answers = await Promise.allSettled([
        engine.write({ kind: 'insert', collection: 'comments', rows: [{ id: 8 }] }),
        write({}),
      ])
      expect(answers).toMatchObject([{ status: 'fulfilled' }, { reason: { code } }])
      expect(await stateOf(engine)).toEqual({ ...VIEWED, comments: [...VIEWED.comments, { id: 8 }] })
      return Reflect.get(Object(answers[1]), 'reason')
    }

    it.each(EVERY)('refuses a change of the kind $kind that it may not make', async (way) => {
      const { change, action, resource } = way
      const said: Record<string, Said> = resource ? { [resource]: { [action]: 'none' } } : {}
      const { message } = await refused(change(1), accessWith(said, '1'), 'AUTH_FORBIDDEN')
      if (!resource) return
      expect(message).toBe(`rule-of-${action} can ${action} ${resource}.`)
      await refused(change(1), accessWith(said, undefined), 'AUTH_REQUIRED')
    })

    it.each(EVERY)('makes a change of the kind $kind that an admin may make', async ({ change }) => {
      const engine = await open(VIEWED)
      await engine.write(change(1), { access: accessWith({}, '1', true) })
      expect(await stateOf(engine)).not.toEqual(VIEWED)
    })

    it.each(OF_ROWS)('changes rows of its own only: $kind', async ({ change, action }) => {
      const access = accessWith({ posts: { [action]: 'own' } }, '1')
      const engine = await open(VIEWED)
      await engine.write(change(1), { access })
      expect(await stateOf(engine)).not.toEqual(VIEWED)
      await refused(change(2), access, 'AUTH_FORBIDDEN')
      await refused(change(3), access, 'AUTH_FORBIDDEN')
    })

    it.each(OF_ROWS)('does not find what it may not read: $kind', async ({ kind, change, action }) => {
      const engine = await open(VIEWED)
      const access = accessWith({ posts: { read: 'own', [action]: 'own' } }, '1')
      const outcome = await engine.write(change(2), { access, unchangedSince: { id: 2 } })
      expect(outcome).toEqual(
        kind === 'batch' ? [[{ id: 4 }], undefined] : kind.endsWith('where') ? [] : undefined,
      )
      expect((await stateOf(engine)).posts).toEqual(POSTS)
    })

    it.each<[string, WriteOptions, Partial<RowChange>]>([
      ['a precondition that does not hold', { unchangedSince: { id: 2 } }, {}],
      ['a broken patch', {}, { kind: 'patch', patch: { format: 'json-patch', operations: [failing()] } }],
    ])('refuses before it judges anything else: %s', async (_, options, part) => {
      const change = { ...post(2), kind: 'merge', fields: {}, ...part } as RowChange
      await refused(change, accessWith({ posts: { update: 'own' } }, '1'), 'AUTH_FORBIDDEN', options)
    })

    it('refuses a deletion that would take rows with it that the client may not delete', async () => {
      const access = accessWith({ posts: { delete: 'all' }, comments: { delete: 'own' } }, '1')
      await refused({ ...post(2), kind: 'remove', dependents: 'all' }, access, 'AUTH_FORBIDDEN')
      await refused({ ...posts(2), kind: 'remove-where', dependents: ['comments'] }, access, 'AUTH_FORBIDDEN')
      const engine = await open(VIEWED)
      await engine.write({ ...post(1), kind: 'remove', dependents: 'all' }, { access })
      expect(await stateOf(engine)).toEqual({
        ...VIEWED,
        posts: POSTS.slice(1),
        comments: VIEWED.comments.slice(1),
      })
    })

    it.each<[string, RowChange, unknown]>([
      [
        'fills the owner in, whatever the row says',
        { kind: 'insert', collection: 'posts', rows: [{ userId: 2 }, { title: 'x' }] },
        [
          { userId: 1, id: 4 },
          { title: 'x', userId: 1, id: 5 },
        ],
      ],
      [
        'keeps the owner in a replace without one',
        { ...post(2), kind: 'replace', fields: { title: 'x' } },
        { id: 2, title: 'x', userId: '2' },
      ],
      ['gives no row away', { ...post(1), kind: 'merge', fields: { userId: 2 } }, POSTS[0]],
      ['takes no row that is nobody’s', { ...post(3), kind: 'merge', fields: { userId: 1 } }, POSTS[2]],
      [
        'takes no row with a JSON Patch',
        {
          ...post(2),
          kind: 'patch',
          patch: { format: 'json-patch', operations: [{ op: 'replace', path: '/userId', value: 1 }] },
        },
        POSTS[1],
      ],
      [
        'takes no rows that a filter finds',
        { ...posts(2), kind: 'merge-where', fields: { userId: 1 } },
        [POSTS[1]],
      ],
      [
        'keeps the owner of an object',
        { kind: 'replace-object', name: 'profile', fields: { name: 'x', userId: 2 } },
        { name: 'x', userId: 1 },
      ],
    ])('%s', async (_, change, outcome) => {
      const engine = await open(VIEWED)
      const access = accessWith({ posts: { fixed: MINE }, profile: { fixed: MINE } }, '1')
      expect(await engine.write(change, { access, dryRun: true })).toEqual(outcome)
      expect(await engine.write(change, { access })).toEqual(outcome)
    })

    it('leaves out an owner that nobody is', async () => {
      const engine = await open(VIEWED)
      const access = accessWith({ posts: { fixed: MINE } }, undefined)
      const change = { kind: 'insert', collection: 'posts', rows: [{ userId: 2 }] } as const
      expect(await engine.write(change, { access })).toEqual([{ id: 4 }])
    })

    it('knows no field that only rows have that it may not read', async () => {
      const engine = await open({ posts: [...POSTS, { id: 4, userId: 2, secret: 1 }] })
      const access = accessWith({ posts: { read: 'own' } }, '1')
      const where = { where: [{ path: 'secret', op: 'eq' as const, values: ['1'] }] }
      const change = { kind: 'remove-where', collection: 'posts', where } as const
      await expect(engine.write(change, { access })).rejects.toMatchObject({ code: 'INVALID_QUERY' })
      expect(await engine.write(change)).toHaveLength(1)
    })

    it('reaches rows by what their keys name, and follows that', async () => {
      const engine = await open(VIEWED)
      const via = [{ field: 'postId', resource: 'posts' }]
      const said = {
        posts: { read: 'own', update: 'own' },
        comments: { read: via, create: via, update: via },
      } as const
      const access = accessWith(said, '1')
      const ids = async () => {
        const { found } = await engine.read({ kind: 'database' }, { access })
        return Object(found).comments.map(({ id }: { id: number }) => id)
      }
      const insert = (postId: unknown) =>
        engine.write({ kind: 'insert', collection: 'comments', rows: [{ postId }] }, { access })
      expect(await ids()).toEqual([1])
      await expect(insert(2)).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
      await insert('1')
      const move = { kind: 'merge', collection: 'comments', id: '1', fields: { postId: 2 } } as const
      await expect(engine.write(move, { access })).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
      expect(await ids()).toEqual([1, 4])
      await engine.write({ kind: 'merge', collection: 'posts', id: '2', fields: { userId: 1 } })
      expect(await ids()).toEqual([1, 2, 3, 4])
      await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
      expect(await ids()).toEqual([2, 3])
    })

    it('reads what it may see', async () => {
      const engine = await open(VIEWED)
      const access = accessWith({ posts: { read: 'own' }, comments: { read: 'none' } }, '2')
      const read = async (collection: string) => {
        const query = { where: [], sort: [], window: { kind: 'all' as const }, embed: [], expand: [] }
        const { found } = await engine.read({ kind: 'list', collection, query }, { access })
        const rows = found?.rows ?? []
        return 'toArray' in rows ? rows.toArray() : rows
      }
      expect(await read('posts')).toEqual([POSTS[1]])
      expect(await read('comments')).toEqual([])
      expect((await list(engine, 'posts')).rows).toEqual(POSTS)
    })
  })
}

function post(id: number) {
  return { collection: 'posts', id: String(id) } as const
}

function posts(id: number) {
  return {
    collection: 'posts',
    where: { where: [{ path: 'id', op: 'eq', values: [String(id)] }] },
  } as const
}

function merging(fields: Record<string, unknown>) {
  return { format: 'merge-patch', fields } as const
}

function failing() {
  return { op: 'test', path: '/title', value: 'wrong' } as const
}
