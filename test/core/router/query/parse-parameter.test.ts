import { describe, expect, it } from 'vitest'
import type { Condition } from '../../../../src/core/engine/types.ts'
import { parseCsv, parseParameter } from '../../../../src/core/router/query/parse-parameter.ts'

describe('a parameter', () => {
  it.each<[string, Condition]>([
    ['price', { path: 'price', op: 'eq', values: ['1'] }],
    ['price_gte', { path: 'price', op: 'gte', values: ['1'] }],
    ['a:b_ne', { path: 'a:b', op: 'ne', values: ['1'] }],
    ['price_gtt', { path: 'price_gtt', op: 'eq', values: ['1'] }],
    ['price_GT', { path: 'price_GT', op: 'eq', values: ['1'] }],
    ['price_constructor', { path: 'price_constructor', op: 'eq', values: ['1'] }],
    ['pricegt', { path: 'pricegt', op: 'eq', values: ['1'] }],
  ])('%s has one meaning', (name, condition) => {
    expect(parseParameter(name, ['1'])).toEqual(condition)
  })

  it.each<[string, Condition]>([
    ['price_gt', { path: 'price', op: 'gt', values: ['1'] }],
    ['price:gt', { path: 'price', op: 'gt', values: ['1'] }],
    ['price:gte', { path: 'price', op: 'gte', values: ['1'] }],
    ['price:like', { path: 'price', op: 'like', values: ['1'] }],
    ['price_eq', { path: 'price', op: 'eq', values: ['1'] }],
    ['a.b_startsWith', { path: 'a.b', op: 'startsWith', values: ['1'] }],
    ['a:b:lt', { path: 'a:b', op: 'lt', values: ['1'] }],
    ['price_gt:lt', { path: 'price_gt', op: 'lt', values: ['1'] }],
    ['a\nb_gt', { path: 'a\nb', op: 'gt', values: ['1'] }],
    [':gt', { path: '', op: 'gt', values: ['1'] }],
  ])('%j is a field, or else an operator', (name, orElse) => {
    expect(parseParameter(name, ['1'])).toEqual({ path: name, op: 'eq', values: ['1'], orElse })
  })

  it.each<[string, readonly string[], Partial<Condition>]>([
    ['in', ['1, 2', '3'], { values: ['1', '2', '3'] }],
    ['in', [''], { values: [] }],
    ['in', ['1', '"2'], { values: ['1'], unread: ['"2'] }],
    ['nin', ['"a,b"', 'c'], { values: ['a,b', 'c'] }],
    ['between', ['1,2', ' 3 , 4 '], { values: ['1', '2', '3', '4'] }],
    ['between', ['"a,b",c'], { values: ['a,b', 'c'] }],
    ['between', ['1', '3,4'], { values: ['3', '4'], unread: ['1'] }],
    ['between', [',2'], { values: [], unread: [',2'] }],
    ['between', ['1,2,3'], { values: [], unread: ['1,2,3'] }],
    ['between', [], { values: [], unread: [''] }],
    ['null', ['true', 'false'], { values: ['false'] }],
    ['null', ['true', 'maybe'], { values: ['true'], unread: ['maybe'] }],
    ['null', ['TRUE'], { values: [], unread: ['TRUE'] }],
    ['contains', ['a,b'], { values: ['a,b'] }],
  ])('%s reads %j', (op, values, condition) => {
    expect(parseParameter(`x_${op}`, values).orElse).toEqual({ path: 'x', op, ...condition })
  })
})

describe('a list in CSV', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['', []],
    ['  ', []],
    ['a', ['a']],
    [' a , b ', ['a', 'b']],
    ['a,', ['a', '']],
    [',', ['', '']],
    ['"a,b",c', ['a,b', 'c']],
    ['c, "a,b" ', ['c', 'a,b']],
    ['" a "', [' a ']],
    ['""', ['']],
    ['"a ""b"""', ['a "b"']],
    ['6" pipe,b"', ['6" pipe', 'b"']],
    ['a\nb,c', ['a\nb', 'c']],
    ['"a\nb"', ['a\nb']],
    ['"a', undefined],
    ['"a"b', undefined],
    ['a,"b', undefined],
    ['"a","', undefined],
  ])('%j', (text, entries) => {
    expect(parseCsv(text)).toEqual(entries)
  })

  it('is read in no time, whatever stands in it', () => {
    expect(parseCsv('" '.repeat(8000))).toBeUndefined()
    expect(parseCsv(`"${'""'.repeat(8000)}`)).toBeUndefined()
    expect(parseCsv(`${' '.repeat(16_000)}"`)).toBeUndefined()
    expect(parseCsv('a,'.repeat(8000))).toHaveLength(8001)
  })
})
