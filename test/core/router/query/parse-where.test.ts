import { describe, expect, it } from 'vitest'
import type { Condition, Where } from '../../../../src/core/engine/types.ts'
import { parseWhere } from '../../../../src/core/router/query/parse-where.ts'

function read(value: unknown): Where {
  return withoutPlaces(parseWhere(JSON.stringify(value)))
}

/** Places are for errors. */
function withoutPlaces(where: Where): Where {
  return JSON.parse(JSON.stringify(where, (key, value) => (key === 'place' ? undefined : value)))
}

function is(path: string, op: Condition['op'], ...values: string[]): Condition {
  return { path, op, values }
}

describe('_where', () => {
  it.each<[unknown, Where[]]>([
    [{}, []],
    [{ price: 10 }, [is('price', 'eq', '10')]],
    [{ name: 'a' }, [is('name', 'eq', 'a')]],
    [{ flag: true }, [is('flag', 'eq', 'true')]],
    [{ gone: null }, [is('gone', 'null', 'true')]],
    [{ id: [1, '2'] }, [is('id', 'in', '1', '2')]],
    [{ id: [] }, [is('id', 'in')]],
    [{ price: { gt: 1, lt: 2 } }, [{ and: [is('price', 'gt', '1'), is('price', 'lt', '2')] }]],
    [{ price: { between: [1, 2] } }, [{ and: [is('price', 'between', '1', '2')] }]],
    [{ id: { nin: [1, 2] } }, [{ and: [is('id', 'nin', '1', '2')] }]],
    [{ x: { eq: null } }, [{ and: [is('x', 'null', 'true')] }]],
    [{ x: { ne: null } }, [{ and: [is('x', 'null', 'false')] }]],
    [{ x: { null: false } }, [{ and: [is('x', 'null', 'false')] }]],
    [{ a: { b: { gt: 0 } } }, [{ and: [{ and: [is('a.b', 'gt', '0')] }] }]],
    [{ a: { b: 1, c: 2 } }, [{ and: [is('a.b', 'eq', '1'), is('a.c', 'eq', '2')] }]],
    [{ 'a.b': 1 }, [is('a.b', 'eq', '1')]],
    [{ or: [{ a: 1 }, { b: 2 }] }, [{ or: [{ and: [is('a', 'eq', '1')] }, { and: [is('b', 'eq', '2')] }] }]],
    [{ or: [] }, [{ or: [] }]],
    [{ not: { a: 1 } }, [{ not: { and: [is('a', 'eq', '1')] } }]],
    [{ a: { or: [{ b: 1 }] } }, [{ and: [{ or: [{ and: [is('a.b', 'eq', '1')] }] }] }]],
    [{ a: {} }, [{ and: [] }]],
  ])('%j', (value, and) => {
    expect(read(value)).toEqual({ and })
  })

  it.each<[string, string]>([
    ['{', '_where is not valid JSON'],
    ['{"a":1,}', 'at character 8'],
    ['[]', '_where must be an object'],
    ['"a"', '_where must be an object'],
    ['null', '_where must be an object'],
    ['{"a":{"gt":1,"gtt":2}}', '_where.a.gtt is not an operator'],
    ['{"a":{"gt":1,"b":{"gt":2}}}', '_where.a.b is not an operator'],
    ['{"a":{"gt":1,"or":[]}}', '_where.a.or is not an operator'],
    ['{"a":{"gt":null}}', '_where.a.gt must be a string, a number or a boolean'],
    ['{"a":{"gt":[1]}}', '_where.a.gt must be a string, a number or a boolean'],
    ['{"a":{"in":1}}', '_where.a.in must be a list'],
    ['{"a":[1,null]}', '_where.a must be a list of strings, numbers or booleans'],
    ['{"a":[{"b":1}]}', '_where.a must be a list of strings, numbers or booleans'],
    ['{"a":{"between":[1]}}', '_where.a.between must be a list of two values'],
    ['{"a":{"null":1}}', '_where.a.null must be true or false'],
    ['{"or":{"a":1}}', '_where.or must be a list of objects'],
    ['{"and":[{"a":1},2]}', '_where.and[1] must be an object'],
    ['{"or":[{"a":{"in":3}}]}', '_where.or[0].a.in must be a list'],
    ['{"not":[1]}', '_where.not must be an object'],
  ])('that makes no sense names the place: %s', (text, message) => {
    expect(() => parseWhere(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_QUERY', message: expect.stringContaining(message) }),
    )
  })

  it('may have 200 conditions', () => {
    const or = (count: number) =>
      JSON.stringify({ or: Array.from({ length: count }, () => ({ a: { gt: 1 } })) })
    expect(() => parseWhere(or(200))).not.toThrow()
    expect(() => parseWhere(or(201))).toThrow('_where.or[200].a.gt is one condition too many')
  })

  it.each([
    ['groups', (inner: unknown) => ({ not: inner })],
    ['lists', (inner: unknown) => ({ or: [inner] })],
    ['fields', (inner: unknown) => ({ a: inner })],
  ])('may have 20 levels of %s', (_, around) => {
    const nested = (levels: number) => {
      let value: unknown = { b: { gt: 1 } }
      for (let level = 1; level < levels; level++) value = around(value)
      return JSON.stringify(value)
    }
    expect(() => parseWhere(nested(20))).not.toThrow()
    expect(() => parseWhere(nested(21))).toThrow('nested more than 20 levels')
    expect(() => parseWhere(nested(1000))).toThrow('nested more than 20 levels')
  })
})
