import { afterEach, describe, expect, it } from 'vitest'
import type { Change, RowChange } from '../../src/storage/change.ts'
import type { Commit, Effect } from '../../src/storage/commit.ts'
import type { Engine } from '../../src/storage/engine.ts'
import { invertEffects } from '../../src/storage/invert-effects.ts'
import type { Reading } from '../../src/storage/question.ts'
import { readRows } from '../../src/storage/read-rows.ts'
import type { Data, ListQuery, Row } from '../../src/storage/types.ts'

/** An engine of some kind, and what lies under it. */
interface Opened {
  readonly engine: Engine
  /** What is kept for good, where that can be looked at: the text of a file, for one. */
  readonly kept?: () => string | Promise<string>
  /** Changes what is underneath, past the engine. */
  readonly edit?: (data: Data) => void | Promise<void>
  readonly close?: () => void | Promise<void>
}

export interface EngineKind {
  /** Opens one that holds this data: its own copy of it. */
  open(data: Data): Opened | Promise<Opened>
  /** Whether it can tell that what it read is still current. */
  readonly isCurrentKnown: boolean
}

const ALL: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

export const DATA = {
  posts: [
    { id: 1, title: 'one', authorId: 1 },
    { id: 2, title: 'two', authorId: 2 },
    { id: 3, title: 'three', authorId: 1 },
  ],
  comments: [
    { id: 1, postId: 1, likes: 5 },
    { id: 2, postId: 1, likes: 0 },
    { id: 3, postId: 2, likes: 7 },
  ],
  authors: [{ id: 1, name: 'Ada' }, { id: 2, name: 'Bob' }, { name: 'nobody' }],
  profile: { name: 'mine', theme: { dark: true } },
} satisfies Data

/** Each kind of change on `DATA`: what it resolves with, and what it leaves. */
export const CHANGES: [string, RowChange, unknown, (data: typeof DATA) => Data][] = [
  [
    'inserts rows, and gives ids to those without',
    { kind: 'insert', collection: 'posts', rows: [{ title: 'a' }, { id: 9 }, { title: 'b' }] },
    [{ title: 'a', id: 4 }, { id: 9 }, { title: 'b', id: 10 }],
    ({ posts, ...rest }) => ({
      ...rest,
      posts: [...posts, { title: 'a', id: 4 }, { id: 9 }, { title: 'b', id: 10 }],
    }),
  ],
  [
    'inserts rows from a place on',
    { kind: 'insert', collection: 'posts', rows: [{ id: 8 }, { id: 9 }], place: 1 },
    [{ id: 8 }, { id: 9 }],
    ({ posts, ...rest }) => ({
      ...rest,
      posts: posts.toSpliced(1, 0, ...([{ id: 8 }, { id: 9 }] as never[])),
    }),
  ],
  ['inserts into nothing', { kind: 'insert', collection: 'profile', rows: [{}] }, undefined, (data) => data],
  [
    'replaces a row, which keeps its id',
    { kind: 'replace', collection: 'posts', id: '2', fields: { title: 'new', id: 99 } },
    { title: 'new', id: 2 },
    ({ posts, ...rest }) => ({ ...rest, posts: [posts[0], { title: 'new', id: 2 }, posts[2]] }),
  ],
  [
    'replaces no row',
    { kind: 'replace', collection: 'posts', id: '9', fields: {} },
    undefined,
    (data) => data,
  ],
  [
    'merges fields into a row',
    { kind: 'merge', collection: 'posts', id: '2', fields: { title: 'new', id: 99 } },
    { id: 2, title: 'new', authorId: 2 },
    ({ posts, ...rest }) => ({ ...rest, posts: [posts[0], { ...posts[1], title: 'new' }, posts[2]] }),
  ],
  [
    'patches a row with operations',
    {
      kind: 'patch',
      collection: 'posts',
      id: '2',
      patch: {
        format: 'json-patch',
        operations: [
          { op: 'test', path: '/id', value: 2 },
          { op: 'move', from: '/title', path: '/name' },
          { op: 'add', path: '/tags', value: ['a'] },
        ],
      },
    },
    { id: 2, authorId: 2, name: 'two', tags: ['a'] },
    ({ posts, ...rest }) => ({
      ...rest,
      posts: [posts[0], { id: 2, authorId: 2, name: 'two', tags: ['a'] }, posts[2]],
    }),
  ],
  [
    'patches a row with fields that go level by level',
    {
      kind: 'patch',
      collection: 'posts',
      id: '2',
      patch: { format: 'merge-patch', fields: { id: null, title: null, a: { b: null, c: 1 } } },
    },
    { id: 2, authorId: 2, a: { c: 1 } },
    ({ posts, ...rest }) => ({
      ...rest,
      posts: [posts[0], { id: 2, authorId: 2, a: { c: 1 } }, posts[2]],
    }),
  ],
  [
    'patches no row',
    {
      kind: 'patch',
      collection: 'posts',
      id: '9',
      patch: { format: 'json-patch', operations: [{ op: 'remove', path: '/nothing' }] },
    },
    undefined,
    (data) => data,
  ],
  [
    'patches all rows that match, also those that have no id',
    {
      kind: 'patch-where',
      collection: 'authors',
      where: { where: [{ path: 'name', op: 'ne', values: ['Ada'] }] },
      patch: { format: 'json-patch', operations: [{ op: 'copy', from: '/name', path: '/called' }] },
    },
    [
      { id: 2, name: 'Bob', called: 'Bob' },
      { name: 'nobody', called: 'nobody' },
    ],
    ({ authors, ...rest }) => ({
      ...rest,
      authors: [authors[0], { id: 2, name: 'Bob', called: 'Bob' }, { name: 'nobody', called: 'nobody' }],
    }),
  ],
  [
    'patches an object, whose id is a field like any other',
    {
      kind: 'patch-object',
      name: 'profile',
      patch: {
        format: 'json-patch',
        operations: [
          { op: 'add', path: '/id', value: 1 },
          { op: 'remove', path: '/theme/dark' },
        ],
      },
    },
    { name: 'mine', theme: {}, id: 1 },
    (data) => ({ ...data, profile: { name: 'mine', theme: {}, id: 1 } }),
  ],
  [
    'removes a row, and tells where it stood',
    { kind: 'remove', collection: 'posts', id: '2' },
    { row: DATA.posts[1], place: 1 },
    ({ posts, ...rest }) => ({ ...rest, posts: [posts[0], posts[2]] }),
  ],
  [
    'removes a row with all that depend on it, and on those',
    { kind: 'remove', collection: 'authors', id: '1', dependents: 'all' },
    { row: DATA.authors[0], place: 0 },
    ({ posts, comments, authors, ...rest }) => ({
      ...rest,
      posts: [posts[1]],
      comments: [comments[2]],
      authors: authors.slice(1),
    }),
  ],
  [
    'removes a row with those that depend on it of some collections',
    { kind: 'remove', collection: 'authors', id: '1', dependents: ['posts', 'nope', 'profile'] },
    { row: DATA.authors[0], place: 0 },
    ({ posts, authors, ...rest }) => ({ ...rest, posts: [posts[1]], authors: authors.slice(1) }),
  ],
  ['removes no row', { kind: 'remove', collection: 'posts', id: '9' }, undefined, (data) => data],
  [
    'merges fields into all rows that match',
    {
      kind: 'merge-where',
      collection: 'posts',
      where: { where: [{ path: 'authorId', op: 'eq', values: ['1'] }] },
      fields: { seen: true },
    },
    [
      { ...DATA.posts[0], seen: true },
      { ...DATA.posts[2], seen: true },
    ],
    ({ posts, ...rest }) => ({
      ...rest,
      posts: posts.map((post) => (post.authorId === 1 ? { ...post, seen: true } : post)),
    }),
  ],
  [
    'merges fields into rows that have no id, and gives them none',
    {
      kind: 'merge-where',
      collection: 'authors',
      where: { where: [], search: 'nobody' },
      fields: { id: 7, a: 1 },
    },
    [{ name: 'nobody', a: 1 }],
    ({ authors, ...rest }) => ({ ...rest, authors: [authors[0], authors[1], { name: 'nobody', a: 1 }] }),
  ],
  [
    'removes all rows that match, with what depends on them',
    {
      kind: 'remove-where',
      collection: 'posts',
      where: { where: [{ path: 'id', op: 'lte', values: ['2'] }] },
      dependents: ['comments'],
    },
    DATA.posts.slice(0, 2),
    ({ posts, ...rest }) => ({ ...rest, posts: [posts[2]], comments: [] }),
  ],
  [
    'removes all rows that match a pattern which only V8 can match',
    {
      kind: 'remove-where',
      collection: 'posts',
      where: { where: [{ path: 'title', op: 'like', values: ['^(?!t)'] }] },
    },
    [DATA.posts[0]],
    ({ posts, ...rest }) => ({ ...rest, posts: posts.slice(1) }),
  ],
  [
    'replaces an object',
    { kind: 'replace-object', name: 'profile', fields: { a: 1 } },
    { a: 1 },
    (data) => ({ ...data, profile: { a: 1 } }),
  ],
  [
    'merges fields into an object',
    { kind: 'merge-object', name: 'profile', fields: { theme: 1 } },
    { name: 'mine', theme: 1 },
    (data) => ({ ...data, profile: { name: 'mine', theme: 1 } }),
  ],
  [
    'takes no collection for an object',
    { kind: 'merge-object', name: 'posts', fields: {} },
    undefined,
    (data) => data,
  ],
  [
    'does a batch in order, each seeing what those before it left',
    {
      kind: 'batch',
      changes: [
        { kind: 'insert', collection: 'posts', rows: [{ authorId: 2 }] },
        { kind: 'merge', collection: 'posts', id: '4', fields: { title: 'x' } },
        { kind: 'remove', collection: 'posts', id: '1' },
        {
          kind: 'merge-where',
          collection: 'posts',
          where: { where: [{ path: 'authorId', op: 'eq', values: ['2'] }] },
          fields: { seen: 1 },
        },
        { kind: 'replace-object', name: 'profile', fields: {} },
      ],
    },
    [
      [{ authorId: 2, id: 4 }],
      { authorId: 2, id: 4, title: 'x' },
      { row: DATA.posts[0], place: 0 },
      [
        { ...DATA.posts[1], seen: 1 },
        { authorId: 2, id: 4, title: 'x', seen: 1 },
      ],
      {},
    ],
    ({ posts, ...rest }) => ({
      ...rest,
      posts: [{ ...posts[1], seen: 1 }, posts[2], { authorId: 2, id: 4, title: 'x', seen: 1 }],
      profile: {},
    }),
  ],
]

/** What every engine has to do, whatever it is made of: one line in `engines.test.ts` runs it against another. */
export function describeEngine(name: string, kind: EngineKind): void {
  describe(`an engine: ${name}`, () => {
    let opened: Opened | undefined
    afterEach(async () => {
      await opened?.engine.close()
      await opened?.close?.()
      opened = undefined
    })

    async function open(data: Data = DATA): Promise<Engine> {
      opened = await kind.open(structuredClone(data))
      return opened.engine
    }

    /** What it holds by its own account and, where one can look, for good. */
    async function stateOf(engine: Engine): Promise<Data> {
      const { found } = await engine.read({ kind: 'database' })
      const state = structuredClone(found)
      const kept = await opened?.kept?.()
      if (kept !== undefined) expect(JSON.parse(kept)).toEqual(state)
      return state
    }

    async function list(engine: Engine, collection: string, query: Partial<ListQuery> = {}) {
      const reading = await engine.read({ kind: 'list', collection, query: { ...ALL, ...query } })
      const rows = reading.found?.rows ?? []
      return { ...reading, rows: 'toArray' in rows ? rows.toArray() : rows }
    }

    describe('as a catalog', () => {
      it('names its resources and their kinds', async () => {
        const engine = await open()
        expect(engine.names()).toEqual(['posts', 'comments', 'authors', 'profile'])
        expect(engine.names().map((each) => engine.kindOf(each))).toEqual([
          'collection',
          'collection',
          'collection',
          'object',
        ])
        for (const unknown of ['nope', '__proto__', 'constructor', '']) {
          expect(engine.kindOf(unknown)).toBeUndefined()
        }
        expect(engine.naming).toEqual({ id: 'id', foreignKeySuffix: 'Id' })
      })
    })

    describe('asked', () => {
      it.each<[string, string, string, Row | undefined]>([
        ['a row by its id', 'posts', '2', DATA.posts[1]],
        ['a row that is not there', 'posts', '9', undefined],
        ['a row of a collection that is not there', 'nope', '1', undefined],
        ['a row of an object', 'profile', 'name', undefined],
      ])('for %s', async (_, collection, id, row) => {
        const engine = await open()
        expect((await engine.read({ kind: 'item', collection, id })).found).toEqual(row)
      })

      it('for a row with its relations', async () => {
        const engine = await open()
        const relations = { embed: ['comments'], expand: ['author'] }
        const { found } = await engine.read({ kind: 'item', collection: 'posts', id: '1', relations })
        const comments = DATA.comments.slice(0, 2)
        expect(found).toEqual({ ...DATA.posts[0], comments, author: DATA.authors[0] })
      })

      it('for a row within its parent, and for nothing within another', async () => {
        const engine = await open()
        const read = (id: string) =>
          engine.read({ kind: 'item', collection: 'comments', id: '3', within: { key: 'postId', id } })
        expect((await read('2')).found).toEqual(DATA.comments[2])
        expect((await read('1')).found).toBeUndefined()
      })

      it('for relations of relations, through lists of keys, and for some fields of them', async () => {
        const tags = [
          { id: 1, name: 'a' },
          { id: 2, name: 'b' },
        ]
        const engine = await open({ ...DATA, posts: [{ ...DATA.posts[0], tagIds: [2, 1] }], tags })
        const { rows } = await list(engine, 'comments', {
          embed: ['post.tags'],
          fields: ['id', 'post.title'],
          omit: ['post.tags.name'],
          window: { kind: 'limit', count: 1 },
        })
        expect(rows).toEqual([{ id: 1, post: { title: 'one', tags: [{ id: 2 }, { id: 1 }] } }])
      })

      it('for a list by fields of its parents: filtered, sorted and counted', async () => {
        const engine = await open()
        const { found, rows } = await list(engine, 'comments', {
          expand: ['post.author'],
          where: [{ path: 'post.author.name', op: 'like', values: ['a'] }],
          sort: [{ path: 'likes', order: 'asc' }],
          window: { kind: 'limit', count: 1 },
        })
        expect(found).toMatchObject({ total: 2 })
        expect(rows.map(({ id }) => id)).toEqual([2])
        const sorted = await list(engine, 'comments', {
          expand: ['post.author'],
          sort: [{ path: 'post.author.name', order: 'desc' }],
        })
        expect(sorted.rows.map(({ id }) => id)).toEqual([3, 1, 2])
      })

      it('for a list: filtered, sorted, cut and counted', async () => {
        const engine = await open()
        const { found, rows } = await list(engine, 'posts', {
          where: [{ path: 'authorId', op: 'eq', values: ['1'] }],
          sort: [{ path: 'id', order: 'desc' }],
          window: { kind: 'page', page: 1, size: 1 },
        })
        expect(rows).toEqual([DATA.posts[2]])
        expect(found).toMatchObject({ total: 2, page: { first: 1, next: 2, last: 2 } })
        const cut = await list(engine, 'posts', { window: { kind: 'slice', start: 1, end: 2 } })
        expect(cut.found).toMatchObject({ rows: [DATA.posts[1]], total: 3, range: { start: 1, end: 2 } })
        expect((await list(engine, 'nope')).found).toBeUndefined()
      })

      it('for a long list with relations, puts each row together when it is asked for', async () => {
        const text = 'x'.repeat(2000)
        const parents = Array.from({ length: 200 }, (_, at) => ({ id: at + 1, text }))
        const children = Array.from({ length: 600 }, (_, at) => ({ id: at + 1, parentId: (at % 200) + 1 }))
        const engine = await open({ parents, children })
        const query = { ...ALL, expand: ['parent'] }
        const { found } = await engine.read({ kind: 'list', collection: 'children', query })
        const rows = found?.rows ?? []
        expect(rows).toHaveLength(600)
        for (const at of [0, 250, 599]) {
          expect(rows.at(at)).toEqual({ ...children[at], parent: parents[at % 200] })
        }
        expect('toArray' in rows ? rows.toArray() : rows).toHaveLength(600)
      })

      it('for an object, and for everything', async () => {
        const engine = await open()
        expect((await engine.read({ kind: 'object', name: 'profile' })).found).toEqual(DATA.profile)
        expect((await engine.read({ kind: 'object', name: 'posts' })).found).toBeUndefined()
        const { found } = await engine.read({ kind: 'database' })
        expect(found).toEqual(DATA)
        await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
        // Lists of its own: what goes afterwards is still in it.
        expect(found).toEqual(DATA)
      })
    })

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
        expect(list.found?.ignored).toEqual(found?.ignored)
        expect(found?.plan.matched).toBe(list.found?.total)
        expect(found?.plan.examined).toBeGreaterThanOrEqual(0)
      })

      it('and names the fields of its rows', async () => {
        const engine = await open()
        const { found } = await engine.read({ kind: 'fields', collection: 'posts' })
        expect(found).toEqual(expect.arrayContaining(['id', 'title']))
        expect((await engine.read({ kind: 'fields', collection: 'profile' })).found).toBeUndefined()
        expect((await engine.read({ kind: 'explain', collection: 'nope', query: ALL })).found).toBeUndefined()
      })
    })

    describe('a reading', () => {
      const questions: [string, (engine: Engine) => Promise<Reading<unknown>>, RowChange, RowChange][] = [
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

      it.each(questions)(
        'of %s is current until that changes, if the engine can tell',
        async (_, ask, other, own) => {
          const engine = await open()
          const reading = await ask(engine)
          expect(reading.isCurrent !== undefined).toBe(kind.isCurrentKnown)
          if (!reading.isCurrent) return
          expect(reading.isCurrent()).toBe(true)
          await engine.write(other, { dryRun: true })
          await engine.write(own, { dryRun: true })
          await engine.write(other)
          expect(reading.isCurrent()).toBe(true)
          await engine.write(own)
          expect(reading.isCurrent()).toBe(false)
          const again = await ask(engine)
          expect(again.isCurrent?.()).toBe(true)
        },
      )
    })

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

      it.each(CHANGES)(
        'tells in one commit what it did, and takes it back exactly: %s',
        async (_, change) => {
          const engine = await open()
          const before = JSON.stringify(await stateOf(engine))
          const commits: Commit[] = []
          engine.subscribe((commit) => commits.push(commit), { effects: true })
          await engine.write(change, { note: { by: 'me' } })
          const after = JSON.stringify(await stateOf(engine))
          expect(commits).toHaveLength(after === before ? 0 : 1)
          const [commit] = commits
          if (!commit) return
          expect(commit.note).toEqual({ by: 'me' })
          // Plain JSON, so that it can be kept elsewhere.
          const effects: readonly Effect[] = JSON.parse(JSON.stringify(commit.effects))
          expect(new Set(effects.map((effect) => effect.name))).toEqual(new Set(commit.names))
          await engine.write({ kind: 'apply', effects: invertEffects(effects) })
          expect(JSON.stringify(await stateOf(engine))).toBe(before)
          await engine.write({ kind: 'apply', effects })
          expect(JSON.stringify(await stateOf(engine))).toBe(after)
          expect(commits).toHaveLength(3)
        },
      )

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
        engine.subscribe((commit) => commits.push(commit), { effects: true })
        const data = { posts: [{ id: 7 }], others: [], single: {} }
        await engine.write({ kind: 'replace-database', data }, { dryRun: true })
        expect(await stateOf(engine)).toEqual(DATA)
        await engine.write({ kind: 'replace-database', data }, { note: 1 })
        expect(await stateOf(engine)).toEqual(data)
        expect(commits).toEqual([
          { names: expect.arrayContaining([...Object.keys(DATA), 'others', 'single']), note: 1 },
        ])
        expect((await engine.read({ kind: 'item', collection: 'posts', id: '7' })).found).toEqual({ id: 7 })
      })
    })

    describe('refuses, and leaves nothing of', () => {
      const many = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`k${at}`, at]))
      it.each<[string, RowChange, object]>([
        [
          'rows of which one has an id that is taken',
          { kind: 'insert', collection: 'posts', rows: [{ id: 5 }, { id: '1' }] },
          { code: 'DUPLICATE_ID' },
        ],
        [
          'rows of which two have the same id',
          { kind: 'insert', collection: 'posts', rows: [{ id: 5 }, { id: '5' }] },
          { code: 'DUPLICATE_ID' },
        ],
        [
          'a row that would have too many keys',
          { kind: 'merge', collection: 'posts', id: '1', fields: many },
          { code: 'INVALID_BODY' },
        ],
        [
          'rows of which one would have too many keys',
          { kind: 'merge-where', collection: 'posts', where: { where: [] }, fields: many },
          { code: 'INVALID_BODY' },
        ],
        [
          'rows of which a field is named that none has',
          {
            kind: 'merge-where',
            collection: 'posts',
            where: {
              where: [
                { path: 'authorId', op: 'eq', values: ['1'] },
                { path: 'color', op: 'eq', values: ['red'] },
              ],
            },
            fields: { a: 1 },
          },
          { code: 'INVALID_QUERY' },
        ],
        [
          'rows to be removed by a field that none has',
          {
            kind: 'remove-where',
            collection: 'posts',
            where: { where: [{ path: 'color', op: 'ne', values: ['red'] }] },
          },
          { code: 'INVALID_QUERY' },
        ],
        [
          'a patch whose second operation fails',
          {
            kind: 'patch',
            collection: 'posts',
            id: '1',
            patch: {
              format: 'json-patch',
              operations: [
                { op: 'remove', path: '/title' },
                { op: 'test', path: '/authorId', value: 2 },
              ],
            },
          },
          { code: 'PATCH_TEST_FAILED' },
        ],
        [
          'a patch of the id',
          {
            kind: 'patch',
            collection: 'posts',
            id: '1',
            patch: { format: 'json-patch', operations: [{ op: 'replace', path: '', value: { id: '1' } }] },
          },
          { code: 'INVALID_PATCH' },
        ],
        [
          'a patch that fails for the last of many rows',
          {
            kind: 'patch-where',
            collection: 'posts',
            where: { where: [] },
            patch: {
              format: 'json-patch',
              operations: [
                { op: 'add', path: '/a', value: 1 },
                { op: 'test', path: '/a', value: 1 },
                { op: 'replace', path: '/title', value: 'x' },
                { op: 'test', path: '/authorId', value: 1 },
              ],
            },
          },
          { code: 'PATCH_TEST_FAILED' },
        ],
        [
          'an object that would be a list',
          {
            kind: 'patch-object',
            name: 'profile',
            patch: { format: 'json-patch', operations: [{ op: 'add', path: '', value: [] }] },
          },
          { code: 'INVALID_PATCH' },
        ],
        [
          'an object that would have too many keys',
          { kind: 'merge-object', name: 'profile', fields: many },
          { code: 'INVALID_BODY' },
        ],
        [
          'a batch whose last part is refused',
          {
            kind: 'batch',
            changes: [
              { kind: 'insert', collection: 'posts', rows: [{ id: 5 }], place: 0 },
              { kind: 'remove', collection: 'authors', id: '1', dependents: 'all' },
              { kind: 'merge-object', name: 'profile', fields: { a: 1 } },
              { kind: 'insert', collection: 'posts', rows: [{ id: 5 }] },
            ],
          },
          { code: 'DUPLICATE_ID' },
        ],
        [
          'effects on a row that is another by now',
          {
            kind: 'apply',
            effects: [
              {
                kind: 'rows',
                name: 'posts',
                removed: [{ row: { id: 1, title: 'one', authorId: 1 }, place: 0 }],
                added: [],
                replaced: [{ before: { id: 2, title: 'TWO', authorId: 2 }, after: { id: 2 } }],
              },
            ],
          },
          { code: 'CONFLICT' },
        ],
        [
          'effects that put a row back whose id is taken',
          {
            kind: 'apply',
            effects: [
              {
                kind: 'rows',
                name: 'posts',
                removed: [],
                added: [{ row: { id: 1 }, place: 0 }],
                replaced: [],
              },
            ],
          },
          { code: 'CONFLICT' },
        ],
        [
          'effects on an object that is another by now',
          {
            kind: 'apply',
            effects: [{ kind: 'object', name: 'profile', before: {}, after: { a: 1 } }],
          },
          { code: 'CONFLICT' },
        ],
      ])('%s', async (_, change, reason) => {
        const engine = await open()
        const commits: Commit[] = []
        engine.subscribe((commit) => commits.push(commit), { effects: true })
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
      if (!opened?.edit) return
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit), { effects: true })
      expect(await engine.refresh()).toBe(false)
      await opened.edit({ posts: [{ id: 9 }], news: [] })
      expect(await engine.refresh()).toBe(true)
      expect(await stateOf(engine)).toEqual({ posts: [{ id: 9 }], news: [] })
      expect(commits).toEqual([{ names: expect.arrayContaining(['posts', 'news', 'profile']) }])
      expect(await engine.refresh()).toBe(false)
    })
  })
}
