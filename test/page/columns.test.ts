import { describe, expect, it } from 'vitest'
import { longColumns, readColumns, withWidth, writeColumns } from '../../src/page/data/columns.ts'

describe('the columns of a table', () => {
  it('are stored and read again, whatever their names', () => {
    const columns = { hidden: new Set(['__proto__', 'a']), widths: new Map([['__proto__', 90]]) }
    expect(readColumns(writeColumns(columns))).toEqual(columns)
  })

  it.each([undefined, '', '{', 'null', '[1]', '{"hidden":5,"widths":[["a","wide"],7]}', '{"hidden":[1]}'])(
    'are as they come where %j is stored',
    (text) => {
      expect(readColumns(text)).toEqual({ hidden: new Set(), widths: new Map() })
    },
  )

  it.each([
    [200.4, 200],
    [-5, 48],
    [9999, 1200],
    [undefined, undefined],
  ])('are resized to %s as %s', (width, expected) => {
    const widths = withWidth({ hidden: new Set(), widths: new Map([['a', 100]]) }, 'a', width)
    expect(widths.get('a')).toBe(expected)
  })

  it('are long if one of their values is', () => {
    const rows = [
      { id: 1, name: 'a', text: 'short', list: ['x'.repeat(30), 'y'.repeat(30)] },
      { id: 2, name: 'b', text: 'x'.repeat(41) },
    ]
    expect(longColumns(rows, ['id', 'name', 'text', 'list'])).toEqual(['text', 'list'])
  })
})
