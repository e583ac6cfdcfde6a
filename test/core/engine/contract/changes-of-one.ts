import { type ChangeCase, DATA } from './data.ts'

/** Changes of a row that is named, or of rows that are given. */
export const ofOne: ChangeCase[] = [
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
]
