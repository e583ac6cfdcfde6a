import type { Data } from '../support/oracle/servers.ts'

/** Fixture F of the reports on json-server's bugs, and its variants. */
export const blog: Data = {
  posts: [
    { id: 1, title: 'json-server', views: 9, tags: ['a', 'b'], published: true },
    { id: 2, title: 'C++ (intro)', views: 10, tags: ['b'], published: false, deletedAt: null },
  ],
  comments: [
    { id: 1, body: 'x', postId: 1 },
    { id: 2, body: 'y', postId: 2 },
  ],
  notes: [{ id: 1, text: 'no fk' }],
  profile: { name: 'typicode' },
}

export const blogWithNull: Data = withComment({ id: 3, body: 'z', postId: null })

export const blogWithOrphan: Data = withComment({ id: 4, body: 'w', postId: 99 })

/** Products and companies as the service document draws them; the suffix of its foreign keys is `_id`. */
export const shop: Data = {
  products: Array.from({ length: 24 }, (_, index) => ({
    id: index + 1,
    name: ['Chair', 'table', 'Lampada', 'Sofà'][index % 4] + (index > 11 ? ' XL' : ''),
    price: [19.99, 100, 7.5, 1000, 19.99, 250.25][index % 6],
    company_id: (index % 3) + 1,
  })),
  companies: [
    company(1, 'Rossi & Figli', 1_000_000.5, ['Rome', 'Milan']),
    company(2, 'Ödön Kft.', 99_999_999.99, ['Budapest']),
    company(3, 'rossi spa', 5_000_000, ['Rome', 'Turin', 'Bari']),
    company(4, 'No Products Ltd', 1_000_000.5, []),
  ],
}

/** Every type where another is expected. */
export const odd: Data = {
  things: [
    { id: 1, v: 5, s: 'alpha', d: '2024-01-31', n: { a: { b: 'deep' }, list: [1, 2] }, f: 1.5, b: true },
    { id: 2, v: '5', s: 'Beta', d: '2024-02-01', n: { a: { b: 'DEEP' } }, f: -0.25, b: false },
    { id: 3, v: null, s: '', d: '2023-12-31T23:59:59.000Z', n: null, f: 0, b: 'true' },
    { id: 4, v: true, s: 'été 日本', d: '', n: 'text', f: 1e21, b: null },
    { id: 5, v: '10', s: 'a.b*c', n: {}, f: '1.5' },
    { id: 6, v: 10, s: 'Alpha', d: '2024-01-31', n: { a: null }, f: 1.5, b: true },
    { id: 7, v: -3, s: 'null', d: 'not a date', n: [], f: -1e-7, b: 0 },
    { id: 8, v: [5], s: 'undefined', n: { a: { b: 5 } }, b: [] },
    { id: 9, v: {}, s: '%', d: '2024', n: { a: { b: '' } }, f: '', b: {} },
  ],
  strays: [
    { id: 1, 'a.b': 'dotted key', 'x y': 'spaced', _page: 'p', price_gte: 7, q: 'own', callback: 'cb' },
  ],
  none: [],
  bare: [{ name: 'x' }, { name: 'y' }],
  words: [
    { id: 'abc', n: 1 },
    { id: 'ABC', n: 2 },
    { id: 'a b', n: 3 },
    { id: 'é/ü', n: 4 },
  ],
  mixed: [
    { id: 'one', n: 1 },
    { id: 2, n: 2 },
    { id: '3', n: 3 },
    { id: 0, n: 4 },
  ],
  settings: { theme: 'dark', size: 3, nested: { on: true } },
}

/** Users, posts and comments in a chain, with ids of both types, for what relations do with them. */
export const chain: Data = {
  users: [
    { id: 1, name: 'ann' },
    { id: 'u2', name: 'bob' },
    { id: 3, name: 'cyd' },
  ],
  posts: [
    { id: 1, userId: 1, title: 'p1' },
    { id: 2, userId: 'u2', title: 'p2' },
    { id: 3, userId: 1, title: 'p3' },
    { id: 4, title: 'no author' },
  ],
  comments: [
    { id: 1, postId: 1, userId: 1, body: 'c1' },
    { id: 2, postId: 1, userId: 'u2', body: 'c2' },
    { id: 3, postId: 2, userId: 3, body: 'c3' },
  ],
  categories: [{ id: 1, name: 'cat' }],
  people: [{ id: 1, categoryId: 1 }],
}

/** The same shape under another primary key. */
export const mongo: Data = {
  posts: [
    { _id: 1, title: 'a' },
    { _id: 2, title: 'b' },
  ],
  comments: [
    { _id: 1, postId: 1, body: 'x' },
    { _id: 2, postId: 2, body: 'y' },
  ],
}

/** Collections of what is no object, and names that mean something else elsewhere. */
export const shapes: Data = {
  $schema: './schema.json',
  tags: ['a', 'b', 'B', 'ab'],
  numbers: [3, 1, 2, 10],
  lists: [[1, 2], [3]],
  gaps: [null, { id: 1, a: 1 }, { id: 2 }],
  'my-posts': [{ id: 1, 'a-b': 'x' }],
  été: [{ id: 1 }],
  'with space': [{ id: 1 }],
  'a.b': [{ id: 1 }],
  db2: [{ id: 1 }],
  constructor: [{ id: 1 }],
  toString: { a: 1 },
  news: [{ id: 1, newsId: 1 }],
  sheep: [{ id: 1, newsId: 1 }],
  mice: [{ id: 1 }],
  tails: [{ id: 1, mouseId: 1 }],
}

function withComment(comment: object): Data {
  return { ...blog, comments: [...(Array.isArray(blog.comments) ? blog.comments : []), comment] }
}

function company(id: number, name: string, revenue: number, cities: readonly string[]) {
  const locations = cities.map((city, index) => ({ city, employee_number: 10 * (index + 1), state: 'IT' }))
  return { id, name, revenue, headquarter: { lat: 41.9 + id, lon: -12.5 * id }, locations }
}
