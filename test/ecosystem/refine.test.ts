import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { type Installed, installClients } from '../support/package/install.ts'

interface Answer {
  readonly data: unknown
  readonly total?: number
}

/** What refine calls, as far as it is called here. */
type DataProvider = Record<
  'getList' | 'getOne' | 'getMany' | 'create' | 'update' | 'deleteOne',
  (params: object) => Promise<Answer>
>

const posts = Array.from({ length: 30 }, (_, index) => ({
  id: index + 1,
  title: index === 4 ? 'C++ (intro)' : `post ${index + 1}`,
  status: ['draft', 'published', 'rejected'][index % 3],
  views: index * 10,
}))
const ids = (...all: number[]) => all.map((id) => expect.objectContaining({ id }))

let client: Installed
let server: RunningServer

beforeAll(async () => {
  client = await installClients('axios')
}, 180_000)

beforeEach(async () => {
  server = await start({ data: { posts: structuredClone(posts) } })
})
afterEach(() => server.close())

describe.each<[string, () => DataProvider]>([
  ['@refinedev/simple-rest', () => client.require('@refinedev/simple-rest').default(server.url)],
  [
    '@refinedev/rest',
    () =>
      client.require('@refinedev/rest/simple-rest').createSimpleRestDataProvider({ apiURL: server.url })
        .dataProvider,
  ],
])("refine's %s", (_, provide) => {
  it.each<[string, object, Answer]>([
    ['nothing said', {}, { data: ids(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), total: 30 }],
    [
      'a page',
      { pagination: { currentPage: 3, pageSize: 7 } },
      { data: ids(15, 16, 17, 18, 19, 20, 21), total: 30 },
    ],
    [
      'two sorters',
      {
        pagination: { pageSize: 2 },
        sorters: [
          { field: 'status', order: 'desc' },
          { field: 'id', order: 'desc' },
        ],
      },
      { data: ids(30, 27), total: 30 },
    ],
    ['eq', { filters: [{ field: 'title', operator: 'eq', value: 'post 7' }] }, { data: ids(7), total: 1 }],
    [
      'ne',
      { pagination: { pageSize: 1 }, filters: [{ field: 'status', operator: 'ne', value: 'draft' }] },
      { data: ids(2), total: 20 },
    ],
    [
      'in',
      {
        pagination: { pageSize: 3 },
        filters: [{ field: 'status', operator: 'in', value: ['draft', 'rejected'] }],
      },
      { data: ids(1, 3, 4), total: 20 },
    ],
    [
      'gte and lte',
      {
        filters: [
          { field: 'views', operator: 'gte', value: 270 },
          { field: 'views', operator: 'lte', value: 280 },
        ],
      },
      { data: ids(28, 29), total: 2 },
    ],
    [
      'contains',
      { filters: [{ field: 'title', operator: 'contains', value: 'POST 3' }] },
      { data: ids(3, 30), total: 2 },
    ],
    [
      'contains with what is no regular expression',
      { filters: [{ field: 'title', operator: 'contains', value: 'C++ (' }] },
      { data: ids(5), total: 1 },
    ],
    ['q', { filters: [{ field: 'q', operator: 'eq', value: 'intro' }] }, { data: ids(5), total: 1 }],
  ])('getList with %s', async (_, params, answer) => {
    expect(await provide().getList({ resource: 'posts', ...params })).toEqual(answer)
  })

  it.each([
    ['a few', [1, 3]],
    ['more than twenty', posts.map(({ id }) => id)],
  ])('getMany of %s', async (_, wanted) => {
    expect(await provide().getMany({ resource: 'posts', ids: wanted })).toEqual({ data: ids(...wanted) })
  })

  it('getOne, create, update and deleteOne', async () => {
    const provider = provide()
    expect(await provider.getOne({ resource: 'posts', id: 1 })).toEqual({ data: posts[0] })
    const made = await provider.create({ resource: 'posts', variables: { title: 'new' } })
    expect(made).toEqual({ data: { title: 'new', id: 31 } })
    const changed = await provider.update({ resource: 'posts', id: 31, variables: { views: 1 } })
    expect(changed).toEqual({ data: { title: 'new', id: 31, views: 1 } })
    expect(await provider.deleteOne({ resource: 'posts', id: 31, variables: { reason: 'none' } })).toEqual({
      data: {},
    })
    expect(await provider.getMany({ resource: 'posts', ids: [31] })).toEqual({ data: [] })
  })

  it('tells what was wrong', async () => {
    const refused = provide().create({ resource: 'posts', variables: { id: 1 } })
    await expect(refused).rejects.toMatchObject({ statusCode: 409 })
  })
})
