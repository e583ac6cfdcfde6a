import { blog, shapes, shop } from '../fixtures.ts'
import { get, type Readings } from './table.ts'

const [first, second] = rowsOf(blog.posts)
const companies = rowsOf(shop.companies)
const inRome = [companies[0], companies[2]]
const many = Array.from({ length: 25 }, (_, index) => ({ id: index + 1 }))
const twentyOne = many.slice(0, 21)

/** Look-around and back-references, which no engine that takes linear time has. */
const UNSUPPORTED = {
  status: 400,
  code: 'INVALID_QUERY',
  headers: { 'x-total-count': undefined, link: undefined },
}

/** Queries that 0.17.4 refuses or misreads. */
export const queriesChanged: readonly Readings[] = [
  {
    title: 'patterns that are no regular expression',
    data: blog,
    steps: [
      get('/posts?title_like=C%2B%2B', 'like-pattern', { status: 200, body: [second] }),
      get('/posts?title_like=(', 'like-pattern', { status: 200, body: [second] }),
      get('/posts?title_like=%5B', 'like-pattern', { status: 200, body: [] }),
      get('/posts?title_like=%5C', 'like-pattern', { status: 200, body: [] }),
      get('/posts?title_like=*', 'like-pattern', { status: 200, body: [] }),
      ...[
        '/posts?title_like=%5E(%3F!json)',
        '/posts?title_like=%5E(%3F%3Djson)',
        '/posts?title_like=(%3F%3C%3Djson-)server',
        '/posts?title_like=(%3F%3C!json-)server',
        '/posts?title_like=(.)%5C1',
        '/posts?title_like=(%3F%3Ctwice%3E.)%5Ck%3Ctwice%3E',
        '/posts?title_like=%5E(%3F!.*C%5C%2B).*$',
        '/posts?title_like=%5E(%3F!JSON)&title_like=server',
        '/posts?title_like=%5E(%3F!intro)&title_ne=json-server&id_gte=1',
        '/posts?title_like=%5E(%3F!intro)&_sort=title&_order=desc&_page=1&_limit=1',
        '/posts?title_like=%5E(%3F!intro)&tags_like=(%3F%3Da)',
        '/posts?title_like=%5E(%3F!intro)&q=json',
        '/posts?nope_like=%5E(%3F!x)',
        '/posts?deletedAt_like=%5E(%3F!x)',
        '/posts?tags.0_like=%5E(%3F!b)',
      ].map((path) => get(path, 'like-pattern', UNSUPPORTED)),
      get('/posts?title_like=json&title_like=C%2B%2B', 'like-pattern', {
        status: 200,
        body: [first, second],
      }),
      get('/posts?title_like=%5B%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', 'like-pattern', {
        status: 200,
        body: [],
      }),
    ],
  },
  {
    title: 'two searches, the first of them empty',
    data: blog,
    steps: [get('/posts?q=&q=intro', 'empty-search', { body: [first, second] })],
  },
  {
    title: 'names that a URL has to encode, and rows that are no objects',
    data: shapes,
    steps: [
      get('/%C3%A9t%C3%A9', 'encoded-names', { status: 200, body: [{ id: 1 }] }),
      get('/%C3%A9t%C3%A9/1', 'encoded-names', { status: 200, body: { id: 1 } }),
      get('/with%20space?id=1', 'encoded-names', { status: 200, body: [{ id: 1 }] }),
      get('/numbers?q=1', 'plain-rows', { body: [1, 10] }),
      get('/tags?q=ab', 'plain-rows', { body: ['ab'] }),
    ],
  },
  {
    title: 'sort keys given twice',
    data: blog,
    steps: [
      get('/posts?_sort=views&_sort=id', 'repeated-sort', { status: 200, body: [first, second] }),
      get('/posts?_sort[]=published&_sort[]=id', 'repeated-sort', { status: 200, body: [second, first] }),
      get('/posts?_sort=nope,views&_order=asc&_order=desc', 'repeated-sort', {
        status: 200,
        body: [second, first],
      }),
    ],
  },
  {
    title: 'paths through arrays',
    data: shop,
    steps: [
      get('/companies?locations.city=Rome', 'array-paths', { body: inRome }),
      get('/companies?locations.city_like=rom', 'array-paths', { body: inRome }),
      get('/companies?locations.city=Budapest&locations.city=Bari', 'array-paths', {
        body: [companies[1], companies[2]],
      }),
      get('/companies?locations.employee_number_gte=30', 'array-paths', { body: [companies[2]] }),
      get('/companies?locations.city=Nowhere', 'array-paths', { body: [] }),
    ],
  },
  {
    title: 'words that json-server learnt later',
    data: { posts: many },
    steps: [
      get('/posts?_sort=-id', 'later-words', { body: many.toReversed() }),
      get('/posts?id_gt=24', 'later-words', { body: [{ id: 25 }] }),
      get('/posts?id:gt=24', 'later-words', { body: [{ id: 25 }] }),
      get('/posts?_where={"id":24}', 'later-words', { body: [{ id: 24 }] }),
      get('/posts?filter={"id":24}', 'later-words', { body: [{ id: 24 }] }),
      get('/posts?nope_gt=24'),
      get('/posts?nope:gt=24'),
    ],
  },
  {
    title: 'names that objects inherit',
    data: blog,
    steps: [
      get('/posts?constructor_ne=x', 'own-fields', { body: [] }),
      get('/posts?toString_like=native', 'own-fields', { body: [] }),
      get('/posts?title.constructor_like=string', 'own-fields', { body: [] }),
    ],
  },
  {
    title: 'many values',
    data: { posts: many },
    steps: [
      ...['id', 'id[]', 'id[0]'].map((name) =>
        get(`/posts?${twentyOne.map(({ id }) => `${name}=${id}`).join('&')}`),
      ),
      get(`/posts?${twentyOne.map(({ id }) => `id[${id}]=${id}`).join('&')}`),
      get(`/posts?${'id=0&'.repeat(1_000)}id=7`, 'many-values', { body: [{ id: 7 }] }),
      get(`/posts?${'id[]=0&'.repeat(1_000)}id[]=7&id[]=9`, 'many-values', { body: [{ id: 7 }, { id: 9 }] }),
      get('/posts?ids=1&ids=2', 'ids', { body: [{ id: 1 }, { id: 2 }] }),
      get('/posts?ids[0]=1&ids[1]=2', 'ids', { body: [{ id: 1 }, { id: 2 }] }),
      get('/posts?ids[]=3', 'ids', { body: [{ id: 3 }] }),
    ],
  },
]

function rowsOf(collection: unknown): readonly unknown[] {
  return Array.isArray(collection) ? collection : []
}
