import { describe, expect, it } from 'vitest'
import { LONGEST_WAIT } from '../../support/hostile/others-wait.ts'
import { sparing } from '../../support/hostile/sparing.ts'
import { attack } from '../../support/hostile/victim.ts'
import { JSON_PATCH, MERGE_PATCH } from '../../support/http/shop.ts'

/** As much as a body may have, less a little for what stands around it. */
const ROOM = 10 * 1024 * 1024 - 1000
const fill = (part: string, room = ROOM) => part.repeat(Math.floor(room / part.length))
const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

const ROW = {
  id: 1,
  list: many(1000, (at) => ({ at, text: `entry ${at}` })),
  deep: { a: { b: { c: 1 } } },
  tags: ['a'],
}
const LONG = `[${'1,'.repeat(900_000)}1]`
const WIDE = `{${many(40_000, (at) => `"k${at}":${at}`).join()}}`
const add = (path: string, value: string) => `{"op":"add","path":"${path}","value":${value}}`
const copy = (from: string, path: string) => `{"op":"copy","from":"${from}","path":"${path}"}`

const PATCHES: readonly (readonly [string, object, number, () => string])[] = [
  [
    '999 operations in 10 MB',
    JSON_PATCH,
    200,
    () => `[${many(999, (at) => add(`/x${at}`, `"${fill('x', ROOM / 1050)}"`)).join()}]`,
  ],
  [
    '999 operations on a wide object',
    JSON_PATCH,
    200,
    () => `[${[add('/w', WIDE), ...many(998, (at) => add(`/w/k${at}`, '0'))].join()}]`,
  ],
  [
    'insertions in front of millions',
    JSON_PATCH,
    413,
    () => `[${[add('/l', LONG), ...many(998, () => add('/l/0', '0'))].join()}]`,
  ],
  [
    'copies of a wide object',
    JSON_PATCH,
    413,
    () =>
      `[${[add('/w', WIDE), ...many(998, (at) => (at % 2 ? copy('/w', '/v') : add('/w/k1', '1')))].join()}]`,
  ],
  ['a list that is doubled', JSON_PATCH, 413, () => `[${many(1000, () => copy('/tags', '/tags/-')).join()}]`],
  ['a row that is doubled', JSON_PATCH, 413, () => `[${many(1000, (at) => copy('', `/x${at}`)).join()}]`],
  [
    'a long list, compared',
    JSON_PATCH,
    200,
    () => `[${add('/l', LONG)},{"op":"test","path":"/l","value":${LONG}}]`,
  ],
  [
    'a long list, found to be different at its end',
    JSON_PATCH,
    409,
    () => `[${add('/l', LONG)},{"op":"test","path":"/l","value":${LONG.slice(0, -2)}2]}]`,
  ],
  ['a million operations', JSON_PATCH, 413, () => `[${fill('{"op":"remove","path":"/a"},')}1]`],
  ['paths of millions of steps', JSON_PATCH, 400, () => `[${add(fill('/a', ROOM - 100), '1')}]`],
  ['a name of millions of escapes', JSON_PATCH, 400, () => `[${add(`/${fill('~1', ROOM - 100)}`, '1')}]`],
  [
    'paths that go on forever',
    JSON_PATCH,
    422,
    () => `[${many(900, () => add(fill('/deep/a', ROOM / 1000), '1')).join()}]`,
  ],
  ['a merge of millions of values', MERGE_PATCH, 200, () => `{"l":${LONG}}`],
  ['a merge of wide objects', MERGE_PATCH, 200, () => `{${many(8, (at) => `"w${at}":${WIDE}`).join()}}`],
  [
    'a merge of small objects',
    MERGE_PATCH,
    200,
    () => `{"o":{${many(45_000, (at) => `"k${at}":{"a":{"b":null}}`).join()}}}`,
  ],
]

describe('a patch that attacks keeps nobody waiting', () => {
  const waitOnOne = sparing(() => attack({ items: [ROW], others: [{ id: 1 }] }))

  it.each(PATCHES)('%s', { timeout: 120_000 }, async (_name, headers, status, make) => {
    const body = make()
    const isRefused = status !== 200
    const waited = await waitOnOne(isRefused, async (victim) => {
      const answer = await victim.ask('PATCH', '/items/1', body, { ...headers, prefer: 'return=minimal' })
      expect(answer.status, answer.body.slice(0, 300)).toBe(isRefused ? status : 204)
      if (isRefused) await victim.expectUnharmed()
    })
    expect(waited).toBeLessThan(LONGEST_WAIT)
  })

  const waitOnMany = sparing(() => {
    const items = many(100_000, (id) => ({ id: id + 1, name: `Row ${id}`, price: id, kind: 'a' }))
    return attack({ items, others: [{ id: 1 }] })
  })

  // Each changes all rows, also after the others.
  it.each<[string, object, string]>([
    ['PATCH of fields', {}, '{"price":1}'],
    ['merge patch', MERGE_PATCH, '{"price":2,"size":{"w":1}}'],
    ['JSON Patch', JSON_PATCH, '[{"op":"add","path":"/x","value":1},{"op":"copy","from":"/x","path":"/y"}]'],
  ])('nor does a %s of 100,000 rows', { timeout: 120_000 }, async (_name, headers, body) => {
    const waited = await waitOnMany(true, async (victim) => {
      const answer = await victim.ask('PATCH', '/items?kind=a', body, {
        ...headers,
        prefer: 'return=minimal',
      })
      expect([answer.status, answer.headers['x-total-count']]).toEqual([204, '100000'])
    })
    expect(waited).toBeLessThan(LONGEST_WAIT)
  })

  it('nor does a DELETE of 100,000 rows', { timeout: 120_000 }, async () => {
    const waited = await waitOnMany(false, async (victim) => {
      const removed = await victim.ask('DELETE', '/items?price_gte=0')
      expect([removed.status, removed.body]).toEqual([200, '{}'])
      expect(JSON.parse((await victim.ask('GET', '/items')).body)).toEqual([])
    })
    expect(waited).toBeLessThan(LONGEST_WAIT)
  })
})
