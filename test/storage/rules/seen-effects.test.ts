import { expect, it } from 'vitest'
import type { Effect, RowsEffect } from '../../../src/storage/data/commit.ts'
import { readableEffects } from '../../../src/storage/rules/check-access.ts'
import { accessWith } from '../../support/engine/view-with.ts'

const mine = { id: 1, userId: 1 }
const yours = { id: 1, userId: 2 }
const rows = (...differences: RowsEffect['rows']): Effect => ({
  kind: 'rows',
  name: 'things',
  rows: differences,
})

it.each<[string, Effect, Effect]>([
  [
    'a row that stays theirs',
    rows({ rank: 3, before: mine, after: mine }),
    rows({ rank: 3, before: mine, after: mine }),
  ],
  [
    'a row that is given away, as deleted',
    rows({ rank: 3, before: mine, after: yours }),
    rows({ rank: 3, before: mine }),
  ],
  [
    'a row that is given to them, as created',
    rows({ rank: 3, before: yours, after: mine }),
    rows({ rank: 3, after: mine }),
  ],
  ['a row that goes', rows({ rank: 3, before: mine }), rows({ rank: 3, before: mine })],
  [
    'a row that comes',
    rows({ rank: 3, after: mine }, { rank: 4, after: yours }),
    rows({ rank: 3, after: mine }),
  ],
  [
    'an object',
    { kind: 'object', name: 'things', before: mine, after: mine },
    { kind: 'object', name: 'things', before: mine, after: mine },
  ],
])('shows a client %s', (_, effect, seen) => {
  expect(readableEffects([effect], accessWith({ things: { read: 'own' } }, '1'))).toEqual([seen])
})

it.each<[string, Effect]>([
  ['a row of another', rows({ rank: 3, before: yours, after: yours })],
  ['rows of others that come and go', rows({ rank: 3, after: yours }, { rank: 4, before: yours })],
  ['an object of another', { kind: 'object', name: 'things', before: yours, after: yours }],
  ['an object that is given away', { kind: 'object', name: 'things', before: mine, after: yours }],
])('shows a client nothing of %s', (_, effect) => {
  expect(readableEffects([effect], accessWith({ things: { read: 'own' } }, '1'))).toEqual([])
  expect(readableEffects([effect], accessWith({}, '1'))).toEqual([effect])
})
