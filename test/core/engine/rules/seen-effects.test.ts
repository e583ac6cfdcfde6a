import { describe, expect, it } from 'vitest'
import type { Effect, RowsEffect } from '../../../../src/core/engine/data/store.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import { readableEffects } from '../../../../src/core/engine/rules/readable-effects.ts'
import { TrackedRead } from '../../../../src/core/engine/tracked-read.ts'
import type { Data } from '../../../../src/core/engine/types.ts'
import { accessWith } from '../../../support/engine/view-with.ts'

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
])('shows a client %s', async (_, effect, seen) => {
  expect(await readable([effect], { things: { read: 'own' } })).toEqual([seen])
})

it.each<[string, Effect]>([
  ['a row of another', rows({ rank: 3, before: yours, after: yours })],
  ['rows of others that come and go', rows({ rank: 3, after: yours }, { rank: 4, before: yours })],
  ['an object of another', { kind: 'object', name: 'things', before: yours, after: yours }],
  ['an object that is given away', { kind: 'object', name: 'things', before: mine, after: yours }],
])('shows a client nothing of %s', async (_, effect) => {
  expect(await readable([effect], { things: { read: 'own' } })).toEqual([])
  expect(await readable([effect], {})).toEqual([effect])
})

describe('a row that references another', () => {
  const part = { id: 7, thingId: 1 }
  const said = {
    things: { read: 'own' },
    parts: { read: [{ field: 'thingId', resource: 'things' }] },
  } as const
  const parts = (difference: RowsEffect['rows'][number]): Effect => ({
    kind: 'rows',
    name: 'parts',
    rows: [difference],
  })

  it.each<[string, Data, Effect[], Effect[]]>([
    [
      'is shown if that one is readable',
      { things: [mine] },
      [parts({ rank: 0, after: part })],
      [parts({ rank: 0, after: part })],
    ],
    ['is not if it is another’s by now', { things: [yours] }, [parts({ rank: 0, after: part })], []],
    ['is not if it is gone', { things: [] }, [parts({ rank: 0, after: part })], []],
    [
      'looks deleted if both are deleted at once',
      { things: [] },
      [rows({ rank: 0, before: mine }), parts({ rank: 0, before: part })],
      [rows({ rank: 0, before: mine }), parts({ rank: 0, before: part })],
    ],
    [
      'looks deleted if that one is given away with it',
      { things: [yours] },
      [rows({ rank: 0, before: mine, after: yours }), parts({ rank: 0, before: part, after: part })],
      [rows({ rank: 0, before: mine }), parts({ rank: 0, before: part })],
    ],
  ])('%s', async (_, data, effects, seen) => {
    expect(await readable(effects, said, data)).toEqual(seen)
  })
})

function readable(effects: readonly Effect[], said: Parameters<typeof accessWith>[0], data: Data = {}) {
  const engine = new Engine(data, { id: 'id', foreignKeySuffix: 'Id' })
  return readableEffects(new TrackedRead(engine), effects, accessWith(said, '1'))
}
