import { describe, expect, it } from 'vitest'
import type { Relation } from '../../../../src/core/engine/relations/resolve-relations.ts'
import { compileShape } from '../../../../src/core/engine/relations/shape.ts'
import type { Row } from '../../../../src/core/engine/types.ts'

function relation(name: string, ...deeper: readonly Relation[]): Relation {
  return { name, collection: name, isList: true, isBounded: true, deeper }
}

const COMPANY = {
  id: 1,
  name: 'One',
  headquarter: { city: 'Rome', lat: 1, lng: 2 },
  locations: [
    { city: 'Bari', tags: [{ a: 1, b: 2 }] },
    { zip: 7 },
    'as text',
    null,
    [{ city: 'Turin', zip: 9 }],
  ],
  'a.b': 'dotted',
  a: { b: 'nested', c: 0 },
  none: null,
  at: new Date(0),
}

describe('fields', () => {
  it.each<[string, string[], unknown]>([
    ['a field', ['name'], { name: 'One' }],
    ['in the order of the row', ['name', 'id'], { id: 1, name: 'One' }],
    ['a path', ['headquarter.lng', 'headquarter.city'], { headquarter: { city: 'Rome', lng: 2 } }],
    ['a path and all of it', ['headquarter.lng', 'headquarter'], { headquarter: COMPANY.headquarter }],
    [
      'through lists, entry by entry',
      ['locations.city'],
      { locations: [{ city: 'Bari' }, {}, [{ city: 'Turin' }]] },
    ],
    ['through lists in lists', ['locations.tags.a'], { locations: [{ tags: [{ a: 1 }] }, {}, [{}]] }],
    [
      'one entry of a list',
      ['locations.1', 'locations.4.city'],
      { locations: [{ zip: 7 }, [{ city: 'Turin' }]] },
    ],
    ['a name with a dot', ['a.b'], { 'a.b': 'dotted', a: { b: 'nested' } }],
    ['null', ['none'], { none: null }],
    ['nothing that is there', ['nope', 'name.length', 'none.x', 'headquarter.x', 'at.x', '', '.'], {}],
    ['nothing inherited', ['constructor', 'toString', '__proto__'], {}],
  ])('show %s', (_, fields, expected) => {
    const before = JSON.stringify(COMPANY)
    const shown = compileShape(fields, [], [])(COMPANY)
    expect(JSON.stringify(shown)).toBe(JSON.stringify(expected))
    expect(JSON.stringify(COMPANY)).toBe(before)
  })

  it('leave relations whole, unless a path leads into them', () => {
    const row = { id: 1, name: 'x', products: [{ id: 2, name: 'y', reviews: [{ id: 3, text: 'z' }] }] }
    const relations = [relation('products', relation('reviews'))]
    const show = (...fields: string[]) => compileShape(fields, [], relations)(row)
    expect(show('name')).toEqual({ name: 'x', products: row.products })
    expect(show('products')).toEqual({ products: row.products })
    expect(show('name', 'products.name')).toEqual({
      name: 'x',
      products: [{ name: 'y', reviews: row.products[0]?.reviews }],
    })
    expect(show('products.reviews.text')).toEqual({ products: [{ reviews: [{ text: 'z' }] }] })
  })

  it('may be called as nothing else is', () => {
    const row = JSON.parse('{"__proto__":1,"id":2}')
    expect(JSON.stringify(compileShape(['__proto__'], [], [])(row))).toBe('{"__proto__":1}')
    expect(JSON.stringify(compileShape([], ['id'], [])(row))).toBe('{"__proto__":1}')
  })
})

describe('what is omitted', () => {
  const ROW = {
    id: 1,
    a: { b: 1, c: 2 },
    list: [{ b: 1, c: 2 }, 'text', [{ b: 3 }]],
    'a.b': 5,
    at: new Date(0),
  }

  it.each<[string, string[], string[], unknown]>([
    ['a field', [], ['id', 'a', 'list', 'a.b'], { at: ROW.at }],
    ['a path, and the name with the dot', [], ['a.b'], { id: 1, a: { c: 2 }, list: ROW.list, at: ROW.at }],
    ['through lists', ['list'], ['list.b'], { list: [{ c: 2 }, 'text', [{}]] }],
    ['an entry', ['list'], ['list.1', 'list.0.b'], { list: [{ c: 2 }, [{ b: 3 }]] }],
    ['what was named before', ['id', 'a'], ['a.c', 'id'], { a: { b: 1 } }],
    [
      'nothing that is not there',
      ['id', 'at'],
      ['nope', 'id.x', 'at.x', 'constructor'],
      { id: 1, at: ROW.at },
    ],
  ])('is %s', (_, fields, omit, expected) => {
    const before = JSON.stringify(ROW)
    expect(JSON.stringify(compileShape(fields, omit, [])(ROW))).toBe(JSON.stringify(expected))
    expect(JSON.stringify(ROW)).toBe(before)
  })

  it('may be a relation', () => {
    const row = { id: 1, company: { id: 2, name: 'x' } }
    expect(compileShape(['id'], ['company.id'], [relation('company')])(row)).toEqual({
      id: 1,
      company: { name: 'x' },
    })
    expect(compileShape([], ['company'], [relation('company')])(row)).toEqual({ id: 1 })
  })
})

it('rows that are no objects are left alone', () => {
  for (const odd of [null, 'text', 5, [1]] as unknown as Row[]) {
    expect(compileShape(['id'], ['name'], [])(odd)).toBe(odd)
  }
})
