import type { RowSchema, Rules } from '../../../../src/core/engine/resource-rules.ts'
import type { Row } from '../../../../src/core/engine/types.ts'
import { DATA } from './data.ts'

/** A schema without any schema language: a required string, a default, a field of the server's, and a number. */
const titled: RowSchema = {
  readTexts: (fields, which) =>
    which === 'all' || which.includes('authorId') ? { ...fields, authorId: Number(fields.authorId) } : fields,
  keepReadOnly(row, old) {
    const { score: _, ...rest } = row
    return old && 'score' in old ? { ...rest, score: old.score } : rest
  },
  fillIn: (row) => ({ kind: 'note', ...row }),
  faultsOf: ({ title }) =>
    typeof title === 'string' && title !== '' ? [] : [{ path: 'title', message: 'is required' }],
}

export const NOW = '2026-01-31T12:00:00.000Z'

export const RULES: Rules = {
  now: () => new Date(NOW),
  resources: new Map([
    [
      'posts',
      {
        schema: titled,
        unique: [['title'], ['slug', 'lang']],
        references: {
          authorId: { resource: 'authors', onDelete: 'restrict' },
          tagIds: { resource: 'tags', onDelete: 'null' },
          parent: { resource: 'posts', onDelete: 'null' },
        },
      },
    ],
    [
      'comments',
      {
        references: { postId: { resource: 'posts', onDelete: 'cascade' } },
        timestamps: { created: 'createdAt', updated: 'updatedAt' },
      },
    ],
    ['profile', { schema: { ...titled, faultsOf: profileFaults } }],
  ]),
}

function profileFaults({ name }: Row) {
  return typeof name === 'string' ? [] : [{ path: 'name', message: 'must be a string' }]
}

export const RULED = {
  ...DATA,
  posts: [
    { id: 1, title: 'one', authorId: 1, tagIds: [1, 2], score: 7 },
    { id: 2, title: 'two', authorId: '2', slug: 'b', lang: 'en' },
    { id: 3, title: 'three', authorId: 1, parent: 2, tagIds: null },
  ],
  comments: [...DATA.comments, { id: 4, postId: 99 }, { id: 5 }],
  tags: [{ id: 1 }, { id: 2 }, { id: 3 }],
}
