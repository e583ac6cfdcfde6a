import { blog, blogWithNull, chain, shapes } from '../fixtures.ts'
import { type ContractCase, type ContractStep, get, remove, send } from './table.ts'

const json = { 'content-type': 'application/json' }
const posts = Array.isArray(blog.posts) ? blog.posts : []
const noHeaders = { location: undefined, 'access-control-expose-headers': undefined }

/** A body that both refuse, ours with a status and a code that say why. */
function refused(method: string, path: string, body: string, code: string, status = 400): ContractStep {
  return { method, path, headers: json, body, differs: { id: 'errors', status, code } }
}

const deep = `{"a":${'['.repeat(101)}${']'.repeat(101)}}`

/** Writes that 0.17.4 breaks on, or does something else with. */
export const changedWrites: readonly ContractCase[] = [
  {
    name: 'bodies that are no JSON',
    data: blog,
    steps: [
      ...['{bad', '{"a":1', '{"a":1}}', "{'a':1}", '[1,', 'nope', '{"a":\u0001}'].map((body) =>
        refused('POST', '/posts', body, 'MALFORMED_JSON'),
      ),
      refused('PUT', '/posts/1', '{bad', 'MALFORMED_JSON'),
      refused('PATCH', '/posts/1', '{bad', 'MALFORMED_JSON'),
      refused('PUT', '/profile', '{bad', 'MALFORMED_JSON'),
      refused('POST', '/posts/1/comments', '{bad', 'MALFORMED_JSON'),
    ],
  },
  {
    name: 'the body of a DELETE is not read',
    data: blog,
    steps: [{ ...remove('/notes/1', { id: 'errors', status: 200, body: {} }), headers: json, body: '{bad' }],
    state: { id: 'errors', data: { notes: [] } },
  },
  {
    name: 'an id with a slash',
    data: blog,
    steps: [
      send(
        'POST',
        '/notes',
        { id: 'a/b' },
        { id: 'location', headers: { location: 'http://HOST/notes/a%2Fb' } },
      ),
      get('/notes/a%2Fb'),
    ],
  },
  {
    name: 'bodies that are JSON but no object',
    data: blog,
    steps: [
      ...['"text"', '1', 'true', 'null'].map((body) => refused('POST', '/posts', body, 'INVALID_BODY')),
      refused('PUT', '/posts/1', 'null', 'INVALID_BODY'),
      refused('PATCH', '/posts/1', '"x"', 'INVALID_BODY'),
      refused('POST', '/profile', '5', 'INVALID_BODY'),
    ],
  },
  {
    name: 'a body of more than 10 MB',
    data: blog,
    steps: [refused('POST', '/posts', `{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`, 'BODY_TOO_LARGE', 413)],
  },
  {
    name: 'a body nested too deep',
    data: blog,
    steps: [
      {
        method: 'POST',
        path: '/posts',
        headers: json,
        body: deep,
        differs: { id: 'deep-body', status: 400, code: 'INVALID_BODY' },
      },
    ],
    state: { id: 'deep-body', data: { posts } },
  },
  {
    name: 'an array where one item belongs',
    data: blog,
    steps: [
      send('PUT', '/posts/1', [1], { id: 'array-body', status: 400, code: 'INVALID_BODY' }),
      send('PATCH', '/posts/2', [{ a: 1 }], { id: 'array-body', status: 400, code: 'INVALID_BODY' }),
      send('PUT', '/profile', [1], { id: 'array-body', status: 400, code: 'INVALID_BODY' }),
    ],
    state: { id: 'array-body', data: { posts, profile: { name: 'typicode' } } },
  },
  {
    name: 'bad percent-encoding in the path',
    data: blog,
    steps: ['/posts/%zz', '/posts/%', '/%E0%A4%A/1', '/posts/%zz/comments'].map((path) =>
      get(path, 'errors', { status: 400, code: 'MALFORMED_URL' }),
    ),
  },
  {
    name: 'ids that are taken',
    data: blog,
    steps: [
      send('POST', '/posts', { id: 1 }, { id: 'duplicate-id', status: 409, code: 'DUPLICATE_ID' }),
      send('POST', '/posts', { id: '2', a: 1 }, { id: 'duplicate-id', status: 409, code: 'DUPLICATE_ID' }),
      send('POST', '/posts/1/comments', { id: 2 }, { id: 'duplicate-id', status: 409, code: 'DUPLICATE_ID' }),
    ],
  },
  {
    name: 'a bulk insert with one id taken inserts none',
    data: blog,
    steps: [
      send('POST', '/posts', [{ id: 8 }, { id: 1 }], {
        id: 'bulk-insert',
        status: 409,
        code: 'DUPLICATE_ID',
      }),
    ],
    state: { id: 'bulk-insert', data: { posts } },
  },
  {
    name: 'a bulk insert under a parent',
    data: blog,
    steps: [
      send('POST', '/posts/1/comments', [{ body: 'a' }, { body: 'b' }], {
        id: 'bulk-insert',
        body: [
          { body: 'a', postId: '1', id: 3 },
          { body: 'b', postId: '1', id: 4 },
        ],
        headers: noHeaders,
      }),
    ],
    state: {
      id: 'bulk-insert',
      data: {
        comments: [
          { id: 1, body: 'x', postId: 1 },
          { id: 2, body: 'y', postId: 2 },
          { body: 'a', postId: '1', id: 3 },
          { body: 'b', postId: '1', id: 4 },
        ],
      },
    },
  },
  {
    name: 'an object among rows that are none',
    data: shapes,
    steps: [
      send(
        'POST',
        '/lists',
        { a: 1 },
        {
          id: 'missing-ids',
          status: 201,
          body: { a: 1, id: 1 },
          headers: { location: 'http://HOST/lists/1', 'access-control-expose-headers': 'Location' },
        },
      ),
    ],
    state: { id: 'missing-ids', data: { lists: [[1, 2], [3], { a: 1, id: 1 }] } },
  },
  {
    name: 'a child under a parent that is no collection',
    data: blog,
    steps: [
      send(
        'POST',
        '/health/1/notes',
        { a: 1 },
        { id: 'nested-stray', status: 404, body: {}, headers: noHeaders },
      ),
      send(
        'POST',
        '/profile/1/notes',
        { a: 1 },
        { id: 'nested-stray', status: 404, body: {}, headers: noHeaders },
      ),
    ],
    state: { id: 'nested-stray', data: { notes: [{ id: 1, text: 'no fk' }] } },
  },
  {
    name: 'children of a deleted row stay',
    data: chain,
    steps: [remove('/users/1'), get('/users')],
    state: { id: 'cascade', data: { posts: chain.posts, comments: chain.comments } },
  },
  {
    name: 'a delete beside a null foreign key, by request with its dependents',
    data: blogWithNull,
    steps: [
      remove('/posts/2?_dependent=comments', { id: 'errors', status: 200, body: {} }),
      send('PATCH', '/profile', {}),
    ],
    state: {
      id: 'cascade',
      data: {
        comments: [
          { id: 1, body: 'x', postId: 1 },
          { id: 3, body: 'z', postId: null },
        ],
      },
    },
  },
  {
    name: 'dependents go with the option that asks for it',
    data: blog,
    setup: { cascade: true },
    steps: [remove('/posts/2'), get('/comments'), remove('/posts/1'), get('/comments'), remove('/posts/1')],
  },
  {
    name: 'dependents of dependents go too',
    data: chain,
    setup: { cascade: true },
    steps: [remove('/users/1'), get('/posts')],
    state: { id: 'cascade', data: { comments: [{ id: 3, postId: 2, userId: 3, body: 'c3' }] } },
  },
  {
    name: 'dependents go when the request says so',
    data: blog,
    steps: [remove('/posts/2?_dependent=comments'), get('/comments'), get('/posts')],
  },
]
