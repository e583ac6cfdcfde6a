import type { RowChange, WriteOptions } from '../../../../src/core/engine/change.ts'
import type { Data } from '../../../../src/core/engine/types.ts'
import { NOW, RULED } from './rules-data.ts'

type Left = (data: typeof RULED) => Data

const stamps = { createdAt: NOW, updatedAt: NOW }
const [one, two, three] = RULED.posts

/** Changes that obey the rules: what they resolve with, and what they leave. */
export const RULED_CHANGES: [string, RowChange, outcome: unknown, Left, WriteOptions?][] = [
  [
    'fills in defaults, and leaves out what only the server sets',
    { kind: 'insert', collection: 'posts', rows: [{ title: 'new', score: 100 }] },
    [{ kind: 'note', title: 'new', id: 4 }],
    ({ posts, ...rest }) => ({ ...rest, posts: [...posts, { kind: 'note', title: 'new', id: 4 }] }),
  ],
  [
    'keeps what only the server sets, and fills in defaults, in a replace',
    { kind: 'replace', collection: 'posts', id: '1', fields: { title: 'new', score: 100 } },
    { kind: 'note', title: 'new', score: 7, id: 1 },
    ({ posts, ...rest }) => ({
      ...rest,
      posts: [{ kind: 'note', title: 'new', score: 7, id: 1 }, ...posts.slice(1)],
    }),
  ],
  [
    'keeps what only the server sets, and fills in no defaults, in a merge',
    { kind: 'merge', collection: 'posts', id: '1', fields: { score: 100, a: 1 } },
    { ...one, a: 1 },
    ({ posts, ...rest }) => ({ ...rest, posts: [{ ...one, a: 1 }, ...posts.slice(1)] }),
  ],
  [
    'keeps what only the server sets in a patch',
    {
      kind: 'patch',
      collection: 'posts',
      id: '1',
      patch: { format: 'merge-patch', fields: { score: null } },
    },
    one,
    (data) => data,
  ],
  [
    'reads what came as text',
    { kind: 'insert', collection: 'posts', rows: [{ title: 'new', authorId: '2' }] },
    [{ kind: 'note', title: 'new', authorId: 2, id: 4 }],
    ({ posts, ...rest }) => ({
      ...rest,
      posts: [...posts, { kind: 'note', title: 'new', authorId: 2, id: 4 }],
    }),
    { texts: ['authorId'] },
  ],
  [
    'stamps new rows with the same moment, whatever they say',
    { kind: 'insert', collection: 'comments', rows: [{ createdAt: 'x' }, { updatedAt: 'y' }] },
    [
      { id: 6, ...stamps },
      { id: 7, ...stamps },
    ],
    ({ comments, ...rest }) => ({
      ...rest,
      comments: [...comments, { id: 6, ...stamps }, { id: 7, ...stamps }],
    }),
  ],
  [
    'stamps changed rows, and invents no moment of creation',
    { kind: 'replace', collection: 'comments', id: '5', fields: { createdAt: 'x', a: 1 } },
    { id: 5, a: 1, updatedAt: NOW },
    ({ comments, ...rest }) => ({
      ...rest,
      comments: comments.map((row) => (row.id === 5 ? { id: 5, a: 1, updatedAt: NOW } : row)),
    }),
  ],
  [
    'lets a row keep its unique values, and a reference that dangles',
    { kind: 'merge', collection: 'comments', id: '4', fields: { likes: 1, postId: 99 } },
    { id: 4, postId: 99, likes: 1, updatedAt: NOW },
    ({ comments, ...rest }) => ({
      ...rest,
      comments: comments.map((row) => (row.id === 4 ? { ...row, likes: 1, updatedAt: NOW } : row)),
    }),
  ],
  [
    'takes null and missing for different, however often',
    {
      kind: 'insert',
      collection: 'posts',
      rows: [
        { title: 'a', slug: null, lang: 'en' },
        { title: 'b', slug: null, lang: 'en' },
      ],
    },
    expectRows(2),
    ({ posts, ...rest }) => ({
      ...rest,
      posts: [
        ...posts,
        { kind: 'note', title: 'a', slug: null, lang: 'en', id: 4 },
        { kind: 'note', title: 'b', slug: null, lang: 'en', id: 5 },
      ],
    }),
  ],
  [
    'judges a batch by what it leaves: values swapped, a child before its parent, a row that points at itself',
    {
      kind: 'batch',
      changes: [
        { kind: 'merge', collection: 'posts', id: '1', fields: { title: 'two' } },
        { kind: 'merge', collection: 'posts', id: '2', fields: { title: 'one' } },
        { kind: 'merge', collection: 'posts', id: '3', fields: { authorId: 7, parent: 3 } },
        { kind: 'insert', collection: 'authors', rows: [{ id: 7 }] },
      ],
    },
    expectRows(4),
    ({ posts: _, authors, ...rest }) => ({
      ...rest,
      posts: [
        { ...one, title: 'two' },
        { ...two, title: 'one' },
        { ...three, authorId: 7, parent: 3 },
      ],
      authors: [...authors, { id: 7 }],
    }),
  ],
  [
    'removes what goes along, and takes what stays off it',
    { kind: 'remove', collection: 'posts', id: '2' },
    { row: two, place: 1 },
    ({ posts: _, comments, ...rest }) => ({
      ...rest,
      posts: [one, { ...three, parent: null }],
      comments: comments.filter(({ id }) => id !== 3),
    }),
  ],
  [
    'takes an entry out of lists that have it',
    { kind: 'remove', collection: 'tags', id: '1' },
    { row: { id: 1 }, place: 0 },
    ({ posts, tags, ...rest }) => ({
      ...rest,
      posts: [{ ...one, tagIds: [2] }, ...posts.slice(1)],
      tags: tags.slice(1),
    }),
  ],
  [
    'removes what is referenced only by what goes, too, since the client names it',
    { kind: 'remove', collection: 'authors', id: '2', dependents: ['posts'] },
    { row: RULED.authors[1], place: 1 },
    ({ posts: _, authors, comments, ...rest }) => ({
      ...rest,
      posts: [one, { ...three, parent: null }],
      authors: [authors[0], authors[2]],
      comments: comments.filter(({ id }) => id !== 3),
    }),
  ],
  [
    'removes what nothing references any more when the batch ends',
    {
      kind: 'batch',
      changes: [
        { kind: 'remove', collection: 'authors', id: '2' },
        { kind: 'merge', collection: 'posts', id: '2', fields: { authorId: 1 } },
      ],
    },
    expectRows(2),
    ({ posts: _, authors, ...rest }) => ({
      ...rest,
      posts: [one, { ...two, authorId: 1 }, three],
      authors: [authors[0], authors[2]],
    }),
  ],
  [
    'puts a reference back to a row that is removed and made again',
    {
      kind: 'batch',
      changes: [
        { kind: 'remove', collection: 'tags', id: '2' },
        { kind: 'merge', collection: 'posts', id: '1', fields: { tagIds: [1, 2] } },
        { kind: 'insert', collection: 'tags', rows: [{ id: 2 }] },
      ],
    },
    expectRows(3),
    ({ tags, ...rest }) => ({ ...rest, tags: [tags[0], tags[2], { id: 2 }] }),
  ],
]

/** Some list of this length: what it holds is in what the change leaves. */
function expectRows(count: number): unknown {
  return {
    asymmetricMatch: (rows: unknown) => Array.isArray(rows) && rows.length === count,
    toString: () => `${count} rows`,
  }
}
