import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../src/page/data/rows.ts'

describe('fieldsOf', () => {
  it.each([
    [[1, 2.5], 'number'],
    [['a', ''], 'text'],
    [['2026-01-31', '2026-01-31T10:00:00Z'], 'date'],
    [['2026-01-31', 'soon'], 'mixed'],
    [['2026-01-31x'], 'text'],
    [[true, false], 'boolean'],
    [[['red'], []], 'list'],
    [[1, 'a'], 'mixed'],
    [[null, 1], 'number'],
    [[null], 'null'],
    [[null, ['a']], 'list'],
  ])('of %j are of the kind %s', (values, kind) => {
    expect(fieldsOf(values.map((x) => ({ x }))).get('x')).toBe(kind)
  })

  it('reach into objects and lists of objects', () => {
    const row = { id: 1, headquarter: { lat: 1.5 }, locations: [{ city: 'Rome' }] }
    expect([...fieldsOf([row])]).toEqual([
      ['id', 'number'],
      ['headquarter.lat', 'number'],
      ['locations', 'list'],
      ['locations.city', 'text'],
    ])
  })
})
