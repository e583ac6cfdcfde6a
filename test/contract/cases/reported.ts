import { blog, blogWithNull, blogWithOrphan, mongo } from '../fixtures.ts'
import { type ContractCase, get, remove, send } from './table.ts'

const [first, second] = rowsOf('posts')
const noHeaders = { location: undefined, 'access-control-expose-headers': undefined }
const layers = ['HXf8PkKl7', 'bbb', 'ccc'].map((id) => ({ id, componentId: 'aaa' }))

/** What json-server's users reported, under the numbers that our notes give the reports. */
export const reported: readonly ContractCase[] = [
  {
    name: 'R1: a delete leaves orphans alone',
    data: blogWithOrphan,
    steps: [remove('/posts/2')],
    state: { id: 'cascade', data: { comments: blogWithOrphan.comments } },
  },
  {
    name: 'R1b: a delete of nothing changes nothing',
    data: blogWithOrphan,
    steps: [remove('/posts/999')],
    state: { id: 'cascade', data: { comments: blogWithOrphan.comments } },
  },
  {
    name: 'R1c: rows that point nowhere do not vanish together',
    data: { layers, components: [{ id: 'zzz' }] },
    steps: [remove('/layers/HXf8PkKl7')],
    state: { id: 'cascade', data: { layers: layers.slice(1) } },
  },
  {
    name: 'R2: a null foreign key somewhere does not break deletes',
    data: blogWithNull,
    steps: [
      remove('/notes/1', { id: 'errors', status: 200, body: {} }),
      get('/notes'),
      send('PATCH', '/profile', {}),
    ],
  },
  {
    name: 'R3: _expand over a null foreign key',
    data: blogWithNull,
    steps: [
      get('/comments?_expand=post', 'expand-missing', {
        status: 200,
        body: [
          { id: 1, body: 'x', postId: 1, post: first },
          { id: 2, body: 'y', postId: 2, post: second },
          { id: 3, body: 'z', postId: null },
        ],
      }),
      get('/comments/3?_expand=post', 'expand-missing', {
        status: 200,
        body: { id: 3, body: 'z', postId: null },
      }),
    ],
  },
  {
    name: 'R3b: _expand with a plural name',
    data: blog,
    steps: [get('/comments?_expand=posts', 'expand-missing', { status: 200, body: blog.comments })],
  },
  {
    name: 'R3c: _embed of an unknown name, and of a field',
    data: blog,
    steps: [
      get('/posts?_embed=nope', 'embed-unknown', { body: blog.posts }),
      get('/posts?_embed=title', 'embed-unknown', { body: blog.posts }),
    ],
  },
  {
    name: 'R4: a child made under its parent is found with it',
    data: blog,
    steps: [
      send(
        'POST',
        '/posts/1/comments',
        { body: 'n' },
        { id: 'location', headers: { location: 'http://HOST/comments/3' } },
      ),
      get('/comments/3'),
      get('/posts/1?_embed=comments', 'string-ids', {
        body: {
          ...Object(first),
          comments: [
            { id: 1, body: 'x', postId: 1 },
            { body: 'n', postId: '1', id: 3 },
          ],
        },
      }),
      get('/posts/1/comments'),
    ],
  },
  {
    name: 'R5: another primary key in _embed, Location and DELETE',
    data: mongo,
    setup: { id: '_id' },
    steps: [
      get('/posts/1?_embed=comments', 'custom-id', {
        body: { _id: 1, title: 'a', comments: [{ _id: 1, postId: 1, body: 'x' }] },
      }),
      send('POST', '/posts', {}, { id: 'custom-id', headers: { location: 'http://HOST/posts/3' } }),
      remove('/posts/1', { id: 'custom-id', status: 200, body: {} }),
      send('PATCH', '/comments/1', {}),
    ],
  },
  {
    name: 'R6: an id that is taken',
    data: blog,
    steps: [send('POST', '/posts', { id: 1 }, { id: 'duplicate-id', status: 409, code: 'DUPLICATE_ID' })],
  },
  {
    name: 'R7: a collection without ids',
    data: { profiles: [{ name: 'x' }] },
    steps: [
      send(
        'POST',
        '/profiles',
        { name: 'y' },
        {
          id: 'missing-ids',
          status: 201,
          body: { name: 'y', id: 1 },
          headers: { location: 'http://HOST/profiles/1', 'access-control-expose-headers': 'Location' },
        },
      ),
    ],
    state: { id: 'missing-ids', data: { profiles: [{ name: 'x' }, { name: 'y', id: 1 }] } },
  },
  {
    name: 'R8: patterns that are no regular expression',
    data: blog,
    steps: [
      get('/posts?title_like=C%2B%2B', 'like-pattern', { status: 200, body: [second] }),
      get('/posts?title_like=%5B%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', 'like-pattern', {
        status: 200,
        body: [],
      }),
    ],
  },
  {
    name: 'R9: links where another parameter ends in page',
    data: blog,
    steps: [
      get('/posts?homepage=1&_page=2&_limit=1', undefined),
      get('/posts?_page=0&_limit=1', 'link', {
        headers: {
          link: '<http://HOST/posts?_page=1&_limit=1>; rel="first", <http://HOST/posts?_page=2&_limit=1>; rel="next", <http://HOST/posts?_page=2&_limit=1>; rel="last"',
        },
      }),
    ],
  },
  {
    name: 'R10: _sort given twice',
    data: blog,
    steps: [get('/posts?_sort=views&_sort=id', 'repeated-sort', { status: 200, body: blog.posts })],
  },
  {
    name: 'R11: more than twenty values',
    data: { posts: Array.from({ length: 25 }, (_, index) => ({ id: index + 1 })) },
    steps: [get(`/posts?${Array.from({ length: 21 }, (_, index) => `id=${index + 1}`).join('&')}`)],
  },
  {
    name: 'R12: nested routes with an unknown parent, or without the key',
    data: blog,
    steps: [
      get('/zzz/1/posts', 'nested-open', { body: [] }),
      get('/posts/1/notes', 'nested-open', { body: [] }),
    ],
  },
  { name: 'R13: an unknown parameter is ignored', data: blog, steps: [get('/posts?nope=1')] },
  {
    name: 'R14: an array compares as its text',
    data: blog,
    steps: [get('/posts?tags=a'), get('/posts?tags_like=a')],
  },
  {
    name: 'R15: null matches nothing',
    data: blog,
    steps: [get('/posts?deletedAt=null'), get('/posts?deletedAt_ne=x')],
  },
  {
    name: 'R16: an array is a bulk insert',
    data: blog,
    steps: [
      send('POST', '/posts', [{ title: 'a' }, { title: 'b' }], {
        id: 'bulk-insert',
        body: [
          { title: 'a', id: 3 },
          { title: 'b', id: 4 },
        ],
        headers: noHeaders,
      }),
    ],
    state: {
      id: 'bulk-insert',
      data: { posts: [first, second, { title: 'a', id: 3 }, { title: 'b', id: 4 }] },
    },
  },
  ...[
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/vnd.api+json',
    undefined,
  ].map(
    (type): ContractCase => ({
      name: `R17: JSON sent as ${type ?? 'nothing in particular'}`,
      data: blog,
      steps: [
        {
          method: 'POST',
          path: '/posts',
          headers: type === undefined ? {} : { 'content-type': type },
          body: '{"title":"x"}',
          differs: { id: 'body-types', body: { title: 'x', id: 3 } },
        },
      ],
      state: { id: 'body-types', data: { posts: [first, second, { title: 'x', id: 3 }] } },
    }),
  ),
  {
    name: 'R23: paths as deep as the data',
    data: blog,
    steps: [
      get('/posts/1/comments/1', 'nested-item', { status: 200, body: { id: 1, body: 'x', postId: 1 } }),
      get('/posts/1/comments/1/notes', 'nested-item', {
        status: 200,
        headers: { 'x-total-count': '0' },
        body: [],
      }),
      get('/posts/1/comments/2/notes'),
    ],
  },
  {
    name: 'R24: a Location that can be followed',
    data: blog,
    steps: [
      send('POST', '/posts?foo=1', {}, { id: 'location', headers: { location: 'http://HOST/posts/3' } }),
      get('/posts/3'),
      send(
        'POST',
        '/posts/1/comments',
        {},
        { id: 'location', headers: { location: 'http://HOST/comments/3' } },
      ),
      get('/comments/3'),
      send(
        'POST',
        '/profile?foo=1',
        { a: 1 },
        { id: 'location', headers: { location: 'http://HOST/profile' } },
      ),
    ],
  },
  { name: 'R26: past the last page', data: blog, steps: [get('/posts?_page=99')] },
  { name: 'R27: values compare as text', data: blog, steps: [get('/posts?views=9&published=true')] },
  {
    name: 'R31: a field called length',
    data: { songs: [{ id: 1, title: 'a', length: 3 }] },
    steps: [send('PUT', '/songs/1', { length: 4 }, { id: 'length-field', body: { length: 4, id: 1 } })],
    state: { id: 'length-field', data: { songs: [{ length: 4, id: 1 }] } },
  },
  {
    name: 'R32: a row whose id is null',
    data: { a: [{ id: null }, { id: 1 }] },
    steps: [
      get('/a/1', 'missing-ids', { status: 200, body: { id: 1 } }),
      send('PATCH', '/a/1', { x: 1 }, { id: 'missing-ids', status: 200, body: { id: 1, x: 1 } }),
    ],
    state: { id: 'missing-ids', data: { a: [{ id: null }, { id: 1, x: 1 }] } },
  },
]

function rowsOf(name: string): readonly unknown[] {
  const rows = blog[name]
  return Array.isArray(rows) ? rows : []
}
