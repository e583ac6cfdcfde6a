import { describe, expect, it } from 'vitest'
import { LONGEST_WAIT } from '../../support/hostile/others-wait.ts'
import { sparing } from '../../support/hostile/sparing.ts'
import { attack } from '../../support/hostile/victim.ts'

/** The maximum size of a body, minus a little for its envelope. */
const ROOM = 10 * 1024 * 1024 - 100
const many = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join()
const filled = (part: string) => part.repeat(Math.floor(ROOM / part.length))

const ROWS = many(100_000, (n) => `{"name":"Row ${n}","price":${n}.5,"tags":["a","b"],"isNew":true}`)
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const BODIES: readonly (readonly [name: string, status: number, type: string, body: () => string])[] = [
  ['100,000 rows', 201, JSON_TYPE, () => `[${ROWS}]`],
  ['nothing but digits', 400, JSON_TYPE, () => `[${filled('1')}]`],
  ['long numbers', 201, JSON_TYPE, () => `{"a":[${filled(`${'1'.repeat(199)},`)}1]}`],
  ['runs of digits in a string', 201, JSON_TYPE, () => `{"a":"${filled(`${'1'.repeat(199)}x`)}"}`],
  ['what looks like exponents', 201, JSON_TYPE, () => `{"a":"${filled('1e+99')}"}`],
  ['850,000 keys', 400, JSON_TYPE, () => `{${many(850_000, (n) => `"k${n}":1`)}}`],
  ['50,000 keys', 201, JSON_TYPE, () => `{${many(49_999, (n) => `"k${n}":1`)}}`],
  [
    'objects of 50,000 keys',
    201,
    JSON_TYPE,
    () => `[${many(3, () => `{${many(49_999, (n) => `"k${n}":1`)}}`)}]`,
  ],
  ['3.3 million empty rows', 400, JSON_TYPE, () => `[${filled('{},')}{}]`],
  ['1.6 million short strings', 201, JSON_TYPE, () => `{"a":[${filled('"abc",')}1]}`],
  ['different strings', 201, JSON_TYPE, () => `{"a":[${many(900_000, (n) => `"s${n}"`)}]}`],
  ['objects that are all different', 201, JSON_TYPE, () => `{"a":[${many(300_000, (n) => `{"k${n}":1}`)}]}`],
  ['deep and wide', 400, JSON_TYPE, () => `[${filled(`${'['.repeat(90)}${']'.repeat(90)},`)}1]`],
  ['a fault at the end', 400, JSON_TYPE, () => `[${ROWS}`],
  ['a fault behind millions of lines', 400, JSON_TYPE, () => `[${filled('1,\n\n\n\n\n\n')}}`],
  ['a fault behind escapes', 400, JSON_TYPE, () => `["${filled('\\"')}",]`],
  ['a long string of escapes', 201, JSON_TYPE, () => `{"a":"${filled('\\n')}"}`],
  ['brackets that never close', 400, JSON_TYPE, () => filled('[')],
  ['a form of pluses', 201, FORM, () => `a=${filled('b+')}`],
  ['a form of percent signs', 201, FORM, () => `a=${filled('%41+%zz')}`],
  ['a form of separators', 201, FORM, () => filled('&')],
  ['JSON as text', 201, 'text/plain', () => `[${ROWS}]`],
]

const wait = sparing(() => attack({ items: [], others: [{ id: 1 }] }))

/** How long others wait while this is sent. */
async function waitFor(path: string, status: number, type: string, body: string): Promise<number> {
  const isRefused = status >= 400
  return wait(isRefused, async (victim) => {
    const answer = await victim.ask('POST', path, body, { 'content-type': type })
    expect(answer.status, answer.body.slice(0, 200)).toBe(status)
  })
}

describe('a body of 10 MB keeps nobody waiting', () => {
  it.each(BODIES)('%s', { timeout: 120_000 }, async (_name, status, type, make) => {
    expect(await waitFor('/items', status, type, make())).toBeLessThan(LONGEST_WAIT)
  })

  it.each([
    ['digits', 404, () => `{"a":"${filled(`${'1'.repeat(199)}x`)}"}`],
    ['rows', 404, () => `[${ROWS}]`],
    ['a fault', 400, () => `[${ROWS}`],
  ])('where nobody wants it, either: %s', { timeout: 120_000 }, async (_name, status, make) => {
    expect(await waitFor('/nowhere', status, JSON_TYPE, make())).toBeLessThan(LONGEST_WAIT)
  })
})
