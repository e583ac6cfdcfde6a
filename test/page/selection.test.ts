import { expect, it } from 'vitest'
import { toggleRow } from '../../src/page/data/selection.ts'

const IDS = ['5', '3', '9', '1']

it.each<[string, string[], string, string | undefined, string[]]>([
  ['selects one', [], '3', undefined, ['3']],
  ['takes one back', ['3', '9'], '3', undefined, ['9']],
  ['selects a range down', ['5'], '9', '5', ['5', '3', '9']],
  ['selects a range up', ['1'], '3', '1', ['1', '3', '9']],
  ['takes a range back', IDS, '9', '5', ['1']],
  ['ignores a start that is gone', [], '9', '77', ['9']],
])('%s', (_, selected, id, from, expected) => {
  expect(new Set(toggleRow(new Set(selected), IDS, id, from))).toEqual(new Set(expected))
})
