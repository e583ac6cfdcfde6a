import type { RowChange } from '../../../../src/core/engine/change.ts'

const many = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`k${at}`, at]))

/** Changes of `DATA` that are refused as a whole, and with what. */
export const REFUSALS: [string, RowChange, object][] = [
  [
    'rows of which one has an id that is taken',
    { kind: 'insert', collection: 'posts', rows: [{ id: 5 }, { id: '1' }] },
    { code: 'DUPLICATE_ID' },
  ],
  [
    'rows of which two have the same id',
    { kind: 'insert', collection: 'posts', rows: [{ id: 5 }, { id: '5' }] },
    { code: 'DUPLICATE_ID' },
  ],
  [
    'a row that would have too many keys',
    { kind: 'merge', collection: 'posts', id: '1', fields: many },
    { code: 'INVALID_BODY' },
  ],
  [
    'rows of which one would have too many keys',
    { kind: 'merge-where', collection: 'posts', where: { where: [] }, fields: many },
    { code: 'INVALID_BODY' },
  ],
  [
    'rows of which a field is named that none has',
    {
      kind: 'merge-where',
      collection: 'posts',
      where: {
        where: [
          { path: 'authorId', op: 'eq', values: ['1'] },
          { path: 'color', op: 'eq', values: ['red'] },
        ],
      },
      fields: { a: 1 },
    },
    { code: 'INVALID_QUERY' },
  ],
  [
    'rows to be removed by a field that none has',
    {
      kind: 'remove-where',
      collection: 'posts',
      where: { where: [{ path: 'color', op: 'ne', values: ['red'] }] },
    },
    { code: 'INVALID_QUERY' },
  ],
  [
    'a patch whose second operation fails',
    {
      kind: 'patch',
      collection: 'posts',
      id: '1',
      patch: {
        format: 'json-patch',
        operations: [
          { op: 'remove', path: '/title' },
          { op: 'test', path: '/authorId', value: 2 },
        ],
      },
    },
    { code: 'PATCH_TEST_FAILED' },
  ],
  [
    'a patch of the id',
    {
      kind: 'patch',
      collection: 'posts',
      id: '1',
      patch: { format: 'json-patch', operations: [{ op: 'replace', path: '', value: { id: '1' } }] },
    },
    { code: 'INVALID_PATCH' },
  ],
  [
    'a patch that fails for the last of many rows',
    {
      kind: 'patch-where',
      collection: 'posts',
      where: { where: [] },
      patch: {
        format: 'json-patch',
        operations: [
          { op: 'add', path: '/a', value: 1 },
          { op: 'test', path: '/a', value: 1 },
          { op: 'replace', path: '/title', value: 'x' },
          { op: 'test', path: '/authorId', value: 1 },
        ],
      },
    },
    { code: 'PATCH_TEST_FAILED' },
  ],
  [
    'an object that would be a list',
    {
      kind: 'patch-object',
      name: 'profile',
      patch: { format: 'json-patch', operations: [{ op: 'add', path: '', value: [] }] },
    },
    { code: 'INVALID_PATCH' },
  ],
  [
    'an object that would have too many keys',
    { kind: 'merge-object', name: 'profile', fields: many },
    { code: 'INVALID_BODY' },
  ],
  [
    'a batch whose last part is refused',
    {
      kind: 'batch',
      changes: [
        { kind: 'insert', collection: 'posts', rows: [{ id: 5 }] },
        { kind: 'remove', collection: 'authors', id: '1', dependents: 'all' },
        { kind: 'merge-object', name: 'profile', fields: { a: 1 } },
        { kind: 'insert', collection: 'posts', rows: [{ id: 5 }] },
      ],
    },
    { code: 'DUPLICATE_ID' },
  ],
]
