import { type ChangeCase, DATA } from './data.ts'

/** Changes of rows that match, of objects, and of several at a time. */
export const ofMany: ChangeCase[] = [
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
    'removes all rows that match a pattern',
    {
      kind: 'remove-where',
      collection: 'posts',
      where: { where: [{ path: 'title', op: 'like', values: ['^[^t]'] }] },
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
