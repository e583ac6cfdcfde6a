import type { RowChange } from '../../../../src/core/engine/change.ts'
import type { Data, ListQuery } from '../../../../src/core/engine/types.ts'

export const ALL: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

export const DATA = {
  posts: [
    { id: 1, title: 'one', authorId: 1 },
    { id: 2, title: 'two', authorId: 2 },
    { id: 3, title: 'three', authorId: 1 },
  ],
  comments: [
    { id: 1, postId: 1, likes: 5 },
    { id: 2, postId: 1, likes: 0 },
    { id: 3, postId: 2, likes: 7 },
  ],
  authors: [{ id: 1, name: 'Ada' }, { id: 2, name: 'Bob' }, { name: 'nobody' }],
  profile: { name: 'mine', theme: { dark: true } },
} satisfies Data

/** A change on `DATA`: what it resolves with, and what it leaves. */
export type ChangeCase = [
  name: string,
  change: RowChange,
  outcome: unknown,
  left: (data: typeof DATA) => Data,
]
