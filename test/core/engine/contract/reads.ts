import { describe, expect, it } from 'vitest'
import type { Row } from '../../../../src/core/engine/types.ts'
import { ALL, DATA } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

/** What an engine finds. */
export function describeReads({ open, list }: EngineUnderTest): void {
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
}
