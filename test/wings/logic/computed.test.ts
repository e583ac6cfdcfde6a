import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { define, describeApi, open, type Row } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'
import { withLogic } from './support.ts'

interface Post {
  id: number
  body: string
  words?: number
  excerpt?: string
}
interface Api {
  posts: { row: Post; new: { id?: number; body: string }; kind: 'collection' }
}

const DATA = {
  posts: [
    { id: 1, body: 'one two three' },
    { id: 2, body: 'one' },
    { id: 3, body: 'one two' },
  ],
  comments: [{ id: 1, postId: 1 }],
}
const LOGIC = define<Api>({
  posts: {
    computed: {
      excerpt: ({ body }) => body.slice(0, 3),
      words: ({ body }) => body.split(' ').length,
    },
  },
})
const { serve, send, get } = withLogic(DATA)
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

describe('computed fields', () => {
  it.each([
    ['a filter', '/posts?words=2', [3]],
    ['an operator', '/posts?words_gt=1', [1, 3]],
    ['_where', `/posts?_where=${encodeURIComponent('{"words":{"lt":2}}')}`, [2]],
    ['a sort', '/posts?_sort=words', [2, 3, 1]],
    ['a field of a parent', '/comments?_expand=post&post.words=3', [1]],
  ])('can be used in %s', async (_, path, ids) => {
    await serve(LOGIC)
    expect(idsOf(await get(path))).toEqual(ids)
  })

  it('follow their row, and are read-only', async () => {
    const { undo } = await serve(LOGIC)
    const created = (await send('POST /posts', { body: 'four five', words: 99, excerpt: 'x' })).body
    expect(created).toEqual({ id: 4, body: 'four five', excerpt: 'fou', words: 2 })
    expect((await send('PATCH /posts/4', { body: 'six', words: 99 })).body).toMatchObject({ words: 1 })
    const patch = [{ op: 'replace', path: '/body', value: 'a b c' }]
    const headers = { 'Content-Type': 'application/json-patch+json' }
    expect((await send('PATCH /posts/4', patch, headers)).body).toMatchObject({ words: 3 })
    expect((await send('PUT /posts/4', { body: 'a b' })).body).toMatchObject({ words: 2 })
    await undo({})
    expect(await get('/posts/4')).toMatchObject({ body: 'a b c', words: 3 })
    expect(await get('/comments/1?_expand=post')).toMatchObject({ post: { words: 3 } })
  })

  it('change nothing of their row, nor of what another session or the program has', async () => {
    const data = { posts: [{ id: 1, body: '', tags: ['b', 'a'], meta: { seen: 0 } }] }
    const stored = structuredClone(data.posts[0])
    const logic = {
      posts: {
        computed: {
          first: ({ tags }: { tags: string[] }) => tags.sort()[0],
          seen: ({ meta }: { meta: { seen: number } }) => ++meta.seen,
        },
      },
    }
    await serve(logic, { data, live: true })
    const one = { 'X-Mock-Session': 'one' }
    expect((await send('PATCH /posts/1', { body: 'x' }, one)).body).toMatchObject({ tags: ['b', 'a'] })
    expect(await get('/posts/1')).toEqual({ ...stored, first: 'a', seen: 1 })
    expect((await send('PATCH /posts/1', { body: 'y' })).body).toMatchObject({ meta: { seen: 0 }, seen: 1 })
    expect((await get('/__history'))[0].changes[0].before).toMatchObject(stored as object)
    expect(data.posts).toEqual([{ ...stored, body: 'y' }])
  })

  it('are not stored, and a schema that allows no more fields does not mind', async () => {
    const source = fileOf(DATA)
    const schema = { properties: { body: { type: 'string' } }, additionalProperties: false }
    await using server = await open({ source, logic: LOGIC, resources: { posts: { schema } } })
    const init = { method: 'POST', body: '{"body":"x y"}', headers: { 'Content-Type': 'application/json' } }
    expect(await (await server.fetch('/posts', init)).json()).toMatchObject({ words: 2 })
    const saved = JSON.parse(await readFile(source, 'utf8'))
    expect(saved.posts).toEqual([...DATA.posts, { body: 'x y', id: 4 }])
  })

  it('are neither required nor refused by a schema', async () => {
    const lines: string[] = []
    const properties = { body: { type: 'string' }, words: { type: 'integer', minimum: 1 } }
    const schema = { properties, required: ['words'], additionalProperties: false }
    await serve(LOGIC, { resources: { posts: { schema } }, print: (line) => lines.push(line) })
    expect(await send('POST /posts', { body: 'a b' })).toMatchObject({ status: 201, body: { words: 2 } })
    expect(await send('PATCH /posts/1', { body: 'a' })).toMatchObject({ status: 200, body: { words: 1 } })
    expect(await send('POST /posts', { body: 'a', other: 1 })).toMatchObject({ status: 422 })
    expect(await send('POST /__grow', { posts: 2 })).toMatchObject({ status: 201 })
    expect((await get('/posts?words_gte=1')).length).toBe(6)
    expect(lines.filter((line) => line.includes('words'))).toEqual([])
  })

  it('are of each session', async () => {
    await serve(LOGIC)
    const one = { 'X-Mock-Session': 'one' }
    expect((await send('POST /posts', { body: 'a' }, one)).body).toMatchObject({ words: 1 })
    expect(await get('/posts?words=1', one)).toHaveLength(2)
    expect(await get('/posts?words=1')).toHaveLength(1)
  })

  it.each<readonly [field: string, why: RegExp]>([
    ['body', /: posts\.computed\.body: rows of posts have a stored field "body"\. Give the .* another name/],
    ['rare', /posts\.computed\.rare: rows of posts have a stored field "rare"/],
    ['id', /posts\.computed\.id: .* "id"/],
    ['updatedAt', /posts\.computed\.updatedAt: .* "updatedAt"/],
  ])('are refused at the start if rows have their own %s', async (field, why) => {
    const data = { posts: [...DATA.posts, { id: 4, body: '', rare: 1 }] }
    const logic = { posts: { computed: { [field]: () => 1 } } }
    const options = { data, logic, resources: { posts: { timestamps: true } } }
    await expect(open(options)).rejects.toThrow(why)
    await expect(describeApi(options)).rejects.toThrow(why)
  })

  it('erase nothing that an edit of the file gives their name to', async () => {
    const source = fileOf(DATA)
    await using server = await open({ source, logic: LOGIC })
    const edited = DATA.posts.map((post) => ({ ...post, words: 'edited' }))
    await writeFile(source, JSON.stringify({ ...DATA, posts: edited }))
    const init = (method: string) => ({
      method,
      body: '{"body":"x y","words":7}',
      headers: { 'Content-Type': 'application/json' },
    })
    await server.fetch('/posts', init('POST'))
    await server.fetch('/posts/2', init('PUT'))
    expect(await (await server.fetch('/posts/2')).json()).toMatchObject({ words: 2 })
    const { posts } = JSON.parse(await readFile(source, 'utf8'))
    const [one, two, three] = edited
    expect(posts).toEqual([one, { ...two, body: 'x y' }, three, { body: 'x y', id: 4 }])
  })

  it('that fail are left out, and said once', async () => {
    const lines: string[] = []
    const logic = define<Api>({ posts: { computed: { bad: ({ body }) => JSON.parse(body) } } })
    await serve(logic, { printError: (line) => lines.push(line) })
    expect(await get('/posts')).toEqual(DATA.posts)
    expect(lines).toEqual([expect.stringMatching(/posts\.computed\.bad failed[\s\S]*computed\.test\.ts:\d+/)])
  })

  it('are described as read-only', async () => {
    await serve(LOGIC)
    const { properties, required } = await get('/__schema/posts')
    expect(properties.words).toMatchObject({ type: 'integer', readOnly: true })
    expect(required).toContain('words')
    const { components } = await get('/__openapi')
    expect(Object.keys(components.schemas.NewPost.properties)).toEqual(['id', 'body'])
    const types = await (await describeApi({ data: DATA, logic: LOGIC })).types()
    expect(types).toMatch(/interface Post \{[^}]*words: number/)
    expect(types).toContain("  posts: { row: Post; new: NewPost; kind: 'collection' }\n")
    expect(types).not.toMatch(/interface NewPost \{[^}]*words/)
  })
})

describe('handlers', () => {
  it('are described: with the resource they are below, at the path of the data if it is the same', async () => {
    const logic = { 'GET /posts/:post': () => 1, 'POST /posts/:id/publish': () => 1, 'GET /own': () => 1 }
    await serve(logic)
    const { paths } = await get('/__openapi')
    expect(paths['/posts/{post}']).toBeUndefined()
    expect(paths['/posts/{id}'].get).toMatchObject({ summary: 'GET /posts/:post' })
    expect(paths['/posts/{id}'].put.summary).toContain('Replace')
    expect(paths['/posts/{id}/publish'].post).toMatchObject({
      operationId: 'postPostsIdPublish',
      tags: ['posts'],
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'id', in: 'path' })]),
    })
    expect(paths['/own'].get.tags).toEqual(['server'])
  })
})
