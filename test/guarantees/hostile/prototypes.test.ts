import { beforeAll, describe, expect, it } from 'vitest'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { JSON_PATCH, MERGE_PATCH } from '../../support/http/shop.ts'

const ROW = { id: 1, list: [{ at: 0 }], deep: { a: { b: { c: 1 } } }, tags: ['a'] }

describe('a patch changes no prototype', () => {
  let victim: Victim
  beforeAll(async () => {
    victim = await attack({ items: [ROW], others: [{ id: 1 }] })
  })
  it.each<[string, object, unknown]>([
    ['merge patch', MERGE_PATCH, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'],
    ['JSON Patch of __proto__', JSON_PATCH, '[{"op":"add","path":"/__proto__","value":{"polluted":1}}]'],
    ['JSON Patch into __proto__', JSON_PATCH, '[{"op":"add","path":"/__proto__/polluted","value":1}]'],
    [
      'JSON Patch into constructor',
      JSON_PATCH,
      '[{"op":"add","path":"/constructor/prototype/polluted","value":1}]',
    ],
    ['JSON Patch of a list', JSON_PATCH, '[{"op":"add","path":"/list/__proto__","value":{"polluted":1}}]'],
    ['JSON Patch that copies one', JSON_PATCH, '[{"op":"copy","from":"/__proto__","path":"/x"}]'],
    ['JSON Patch that moves one', JSON_PATCH, '[{"op":"move","from":"/list/constructor","path":"/x"}]'],
  ])('%s', { timeout: 60_000 }, async (_name, headers, body) => {
    const answer = await victim.ask('PATCH', '/items/1', body, { ...headers })
    expect([200, 422]).toContain(answer.status)
    expect(JSON.parse((await victim.ask('GET', '/others/1')).body)).toEqual({ id: 1 })
    expect(JSON.parse((await victim.ask('GET', '/others?polluted=1')).body)).toEqual([{ id: 1 }])
    expect(JSON.parse((await victim.ask('POST', '/others', {})).body)).toEqual({ id: 2 })
    await victim.ask('DELETE', '/others/2')
  })
})
