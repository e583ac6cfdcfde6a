import type { RowChange } from '../../../../src/core/engine/change.ts'

/** Ways to write the fields of one post, and how their errors name a field. */
export const WAYS: [string, (fields: Record<string, unknown>) => RowChange, prefix: string][] = [
  ['an insert', (fields) => insert([{ title: 'new', ...fields }]), ''],
  [
    'an insert of a list of one',
    (fields) => ({ ...insert([{ title: 'new', ...fields }]), isList: true }),
    '0.',
  ],
  ['an insert of many', (fields) => insert([{ title: 'a' }, { title: 'b', ...fields }]), '1.'],
  ['a replace', (fields) => ({ ...POST_3, kind: 'replace', fields: { title: 'new', ...fields } }), ''],
  ['a merge', (fields) => ({ ...POST_3, kind: 'merge', fields }), ''],
  ['a merge patch', (fields) => ({ ...POST_3, kind: 'patch', patch: { format: 'merge-patch', fields } }), ''],
  ['a JSON Patch', (fields) => ({ ...POST_3, kind: 'patch', patch: operations(fields) }), ''],
  ['a merge of what a filter finds', (fields) => ({ ...THIRD, kind: 'merge-where', fields }), ''],
  [
    'a patch of what a filter finds',
    (fields) => ({ ...THIRD, kind: 'patch-where', patch: operations(fields) }),
    '',
  ],
  [
    'part of a batch',
    (fields) => ({
      kind: 'batch',
      changes: [
        { kind: 'remove', collection: 'comments', id: '1' },
        { ...POST_3, kind: 'merge', fields },
        { kind: 'replace-object', name: 'profile', fields: { name: 'x' } },
      ],
    }),
    '1.',
  ],
]

/** Fields that break a rule: which one, and what it says. */
export const BREACHES: [string, Record<string, unknown>, code: string, errors: Record<string, string>][] = [
  ['the schema', { title: '' }, 'VALIDATION_FAILED', { title: 'is required' }],
  ['a unique field', { title: 'two' }, 'NOT_UNIQUE', { title: 'is already taken' }],
  [
    'two fields that are unique together',
    { slug: 'b', lang: 'en' },
    'NOT_UNIQUE',
    {
      slug: 'is already taken in combination with lang',
      lang: 'is already taken in combination with slug',
    },
  ],
  [
    'a reference',
    { authorId: 9 },
    'VALIDATION_FAILED',
    { authorId: 'must be the id of one of authors: there is no 9' },
  ],
  [
    'one of many references',
    { tagIds: [3, null, '8', 2] },
    'VALIDATION_FAILED',
    { 'tagIds.2': 'must be the id of one of tags: there is no 8' },
  ],
]

/** What else is refused. */
export const OTHERS: [string, RowChange, Record<string, unknown>][] = [
  [
    'rows of one list that clash with each other, of which the first is not at fault',
    insert([{ title: 'x' }, { title: 'y' }, { title: 'x' }]),
    { code: 'NOT_UNIQUE', errors: { '2.title': 'is already taken' } },
  ],
  [
    'rows that a filter found and that would clash with each other',
    { kind: 'merge-where', collection: 'posts', where: { where: [] }, fields: { title: 'same' } },
    { code: 'NOT_UNIQUE', errors: { title: 'is already taken' } },
  ],
  [
    'an object that does not fit',
    { kind: 'replace-object', name: 'profile', fields: {} },
    { code: 'VALIDATION_FAILED', errors: { name: 'must be a string' } },
  ],
  [
    'an object that would not fit any more',
    { kind: 'merge-object', name: 'profile', fields: { name: 1 } },
    { code: 'VALIDATION_FAILED', errors: { name: 'must be a string' } },
  ],
  [
    'a patch after which an object would not fit',
    { kind: 'patch-object', name: 'profile', patch: { format: 'merge-patch', fields: { name: null } } },
    { code: 'VALIDATION_FAILED', errors: { name: 'must be a string' } },
  ],
  [
    'to remove what is still referenced',
    { kind: 'remove', collection: 'authors', id: '1' },
    {
      code: 'STILL_REFERENCED',
      message:
        'authors 1 is still referenced by posts 1 and 1 more (authorId): delete or change those first. Nothing was changed.',
    },
  ],
  [
    'to remove what is still referenced, though everything cascades',
    { kind: 'remove', collection: 'authors', id: '2', dependents: 'all' },
    { code: 'STILL_REFERENCED' },
  ],
  [
    'to remove many of which one is still referenced',
    { kind: 'remove-where', collection: 'authors', where: { where: [] } },
    { code: 'STILL_REFERENCED' },
  ],
  [
    'a batch that removes what a row of it references',
    {
      kind: 'batch',
      changes: [
        { kind: 'insert', collection: 'tags', rows: [{ id: 9 }] },
        { kind: 'merge', collection: 'posts', id: '1', fields: { parent: 2 } },
        { kind: 'remove', collection: 'posts', id: '2' },
        { kind: 'merge', collection: 'posts', id: '1', fields: { parent: 2 } },
      ],
    },
    { code: 'VALIDATION_FAILED', errors: { '3.parent': 'must be the id of one of posts: there is no 2' } },
  ],
  [
    'a batch that puts a reference back that its removal took out',
    {
      kind: 'batch',
      changes: [
        { kind: 'remove', collection: 'posts', id: '2' },
        { kind: 'merge', collection: 'posts', id: '3', fields: { parent: 2 } },
      ],
    },
    { code: 'VALIDATION_FAILED', errors: { '1.parent': 'must be the id of one of posts: there is no 2' } },
  ],
  [
    'a batch that puts a reference back into a list',
    {
      kind: 'batch',
      changes: [
        { kind: 'remove-where', collection: 'tags', where: { where: [] } },
        { kind: 'merge', collection: 'posts', id: '1', fields: { tagIds: [2] } },
        { kind: 'merge', collection: 'posts', id: '1', fields: { slug: 'x' } },
      ],
    },
    { code: 'VALIDATION_FAILED', errors: { '2.tagIds.0': 'must be the id of one of tags: there is no 2' } },
  ],
  [
    'a batch that hides a reference from a removal that cascades',
    {
      kind: 'batch',
      changes: [
        { kind: 'merge', collection: 'comments', id: '3', fields: { postId: null } },
        { kind: 'remove', collection: 'posts', id: '2' },
        { kind: 'merge', collection: 'comments', id: '3', fields: { postId: 2 } },
      ],
    },
    { code: 'VALIDATION_FAILED', errors: { '2.postId': 'must be the id of one of posts: there is no 2' } },
  ],
]

const POST_3 = { collection: 'posts', id: '3' } as const
const THIRD = {
  collection: 'posts',
  where: { where: [{ path: 'id', op: 'eq', values: ['3'] }] },
} as const

function insert(rows: readonly Record<string, unknown>[]) {
  return { kind: 'insert', collection: 'posts', rows } as const
}

function operations(fields: Record<string, unknown>) {
  const list = Object.entries(fields).map(
    ([name, value]) => ({ op: 'add', path: `/${name}`, value }) as const,
  )
  return { format: 'json-patch', operations: list } as const
}
