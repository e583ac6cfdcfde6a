import { expect, it } from 'vitest'
import { align } from '../../../src/stores/formats/align.ts'

type Row = Readonly<Record<string, unknown>>

const aligned = (olds: readonly Row[], values: readonly Row[]) =>
  align(olds, (old) => old, values).map(({ old, value }) => [old?.id, Object(value).id])

it.each<[string, readonly Row[], readonly Row[], readonly (readonly unknown[])[]]>([
  [
    'by their ids, though another field is the first',
    [
      { a: 1, id: 1 },
      { a: 1, id: 2 },
    ],
    [
      { a: 2, id: 1 },
      { a: 3, id: 2 },
    ],
    [
      [1, 1],
      [2, 2],
    ],
  ],
  [
    'with removed and new ones in between',
    [{ id: 1 }, { id: 2 }, { id: 3 }],
    [{ id: 1, b: 1 }, { id: 9 }, { id: 3, b: 1 }],
    [
      [1, 1],
      [undefined, 9],
      [2, undefined],
      [3, 3],
    ],
  ],
])('finds which rows are which: %s', (_, olds, values, pairs) => {
  expect(aligned(olds, values)).toEqual(pairs)
})

it('finds which of 30,000 rows with the same first field are which, in one pass', () => {
  const olds = Array.from({ length: 30_000 }, (_, at) => ({ type: 'x', at }))
  const values = olds.map(({ type, at }) => ({ type, at, isNew: true }))
  const slots = align(olds, (old) => old, values)
  expect(slots.every(({ old, value }, at) => old === olds[at] && value === values[at])).toBe(true)
})
