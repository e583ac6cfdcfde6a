import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQueryString } from '../../../../src/core/router/query/query-string.ts'
import { cpuTime } from '../../../support/cpu-time.ts'
import { runs } from '../../../support/length.ts'

const MANY = 10_000

function repeated(write: (index: number) => string, count = MANY): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('&')
}

describe('parseQueryString', () => {
  it.each<[string, Record<string, unknown>]>([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a%5B0%5D=1&a%5B1%5D=2', { a: ['1', '2'] }],
    ['a[30]=1', { a: ['1'] }],
    ['a[b]=c', { a: { b: 'c' } }],
    ['a[0]=1&a[x]=2', { a: { 0: '1', x: '2' } }],
    ['a.b=c+d%20e', { 'a.b': 'c d e' }],
    ['&&=1&b=2', { b: '2' }],
    ['a=%E0%A4%A&%=%', { a: '%E0%A4%A', '%': '%' }],
    ['a=x%00y', { a: 'x\0y' }],
  ])('reads %j', (text, query) => {
    expect(parseQueryString(text)).toEqual(query)
  })

  it.each([null, undefined])('takes %s, which Express passes on without a question mark', (text) => {
    expect(parseQueryString(text)).toEqual({})
  })

  it.each([
    ['id=1&id=2', (index: number) => `id=${index}`],
    ['id[]=1&id[]=2', (index: number) => `id[]=${index}`],
    ['id[0]=1&id[1]=2', (index: number) => `id[${index}]=${index}`],
  ])('reads a list of 500 written as %s', (_, write) => {
    expect(parseQueryString(repeated(write, 500)).id).toEqual(Array.from({ length: 500 }, (_, id) => `${id}`))
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype'])(
    'leaves prototypes alone when a key is %s',
    (key) => {
      const query = parseQueryString(`${key}=1&${key}[x]=2&a[${key}][y]=3&constructor[prototype][z]=4`)
      expect(Object.getPrototypeOf(query)).toBe(Object.prototype)
      for (const name of ['x', 'y', 'z']) expect(name in {}).toBe(false)
    },
  )

  it('has the names of inherited things as keys of its own', () => {
    const query = parseQueryString('constructor=1&toString=2&__proto__=3')
    expect(Object.entries(query)).toEqual([
      ['constructor', '1'],
      ['toString', '2'],
    ])
  })

  it.each([
    ['one key', repeated((index) => `id=${index}`)],
    ['one list', repeated((index) => `id[]=${index}`)],
    ['one list with indexes', repeated((index) => `id[${index}]=${index}`)],
    ['high indexes', repeated((index) => `a${index}[999999999]=1`)],
    ['different keys', repeated((index) => `a${index}=1`)],
    ['one object', repeated((index) => `a[k${index}]=1`)],
    ['deep objects', repeated(() => 'a[b][c][d][e][f][g]=1')],
    ['one very deep object', `a${'[b]'.repeat(MANY)}=1`],
    ['open brackets', `a${'['.repeat(MANY)}=1`],
    ['more than are read', repeated((index) => `id=${index}`, MANY * 5)],
  ])('takes no more than a second for 10,000 parameters: %s', (_, text) => {
    const start = cpuTime()
    const [first] = Object.values(parseQueryString(text))
    expect(cpuTime() - start).toBeLessThan(1000)
    expect(first).toBeDefined()
    if (Array.isArray(first)) expect(first.length).toBeLessThanOrEqual(MANY)
  })
})

describe('a simple query', () => {
  const word = fc.stringMatching(/^[\w.~-]{1,4}$/)
  const names = fc.oneof(word, fc.constantFrom('__proto__', 'constructor', 'toString', 'a', 'id', '_page'))

  it('is read as the careful reader reads it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.oneof(word, fc.constant(''))), { minLength: 1 }), (pairs) => {
        const text = pairs.map(([name, value]) => `${name}=${value}`).join('&')
        // An encoded letter leaves the meaning, and the short way.
        const careful = `${text}&%7Aentinel=1`
        const { zentinel, ...expected } = parseQueryString(careful)
        expect(zentinel).toBe('1')
        expect(parseQueryString(text)).toEqual(expected)
      }),
      runs(100),
    )
  })
})
