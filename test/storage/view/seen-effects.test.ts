import { expect, it } from 'vitest'
import type { Effect } from '../../../src/storage/commit.ts'
import { seenEffects } from '../../../src/storage/view/seen-effects.ts'
import { viewWith } from '../../support/engine/view-with.ts'

const mine = { id: 1, userId: 1 }
const yours = { id: 1, userId: 2 }
const rows = (part: Partial<Effect>): Effect =>
  ({ kind: 'rows', name: 'things', removed: [], added: [], replaced: [], ...part }) as Effect

it.each<[string, Effect, unknown]>([
  [
    'a row that stays theirs',
    rows({ replaced: [{ before: mine, after: mine }] }),
    { replaced: [{ before: mine, after: mine }] },
  ],
  [
    'a row that is given away, as deleted',
    rows({ replaced: [{ before: mine, after: yours }] }),
    { removed: [{ row: mine }], replaced: [] },
  ],
  [
    'a row that is given to them, as created',
    rows({ replaced: [{ before: yours, after: mine }] }),
    { added: [{ row: mine }], replaced: [] },
  ],
  ['a row that goes', rows({ removed: [{ row: mine, place: 3 }] }), { removed: [{ row: mine }] }],
  [
    'a row that comes',
    rows({
      added: [
        { row: mine, place: 3 },
        { row: yours, place: 4 },
      ],
    }),
    { added: [{ row: mine }] },
  ],
  ['an object', { kind: 'object', name: 'things', before: mine, after: mine }, { after: mine }],
])('shows a client %s', (_, effect, seen) => {
  expect(seenEffects([effect], viewWith({ things: { read: 'own' } }, '1'))).toMatchObject([seen])
})

it.each<[string, Effect]>([
  ['a row of another', rows({ replaced: [{ before: yours, after: yours }] })],
  [
    'rows of others that come and go',
    rows({ added: [{ row: yours, place: 0 }], removed: [{ row: yours, place: 0 }] }),
  ],
  ['an object of another', { kind: 'object', name: 'things', before: yours, after: yours }],
  ['an object that is given away', { kind: 'object', name: 'things', before: mine, after: yours }],
])('shows a client nothing of %s', (_, effect) => {
  expect(seenEffects([effect], viewWith({ things: { read: 'own' } }, '1'))).toEqual([])
  expect(seenEffects([effect], viewWith({}, '1'))).toEqual([effect])
})
