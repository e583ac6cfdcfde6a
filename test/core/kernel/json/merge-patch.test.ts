import { describe, expect, it } from 'vitest'
import { applyMergePatch } from '../../../../src/core/kernel/json/patches.ts'

describe('the examples of RFC 7396', () => {
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    [
      '{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}',
      '{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}',
      '{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}',
    ],
  ])('%s, patched with %s, is %s', async (value, patch, result) => {
    const [before, change] = [JSON.parse(value), JSON.parse(patch)]
    expect(JSON.stringify(await applyMergePatch(before, change))).toBe(result)
    expect([JSON.stringify(before), JSON.stringify(change)]).toEqual([value, patch])
  })
})

describe('a merge patch', () => {
  it.each([
    ['{}', '{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":1}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":null}', '{}'],
    ['{}', '{"constructor":{"prototype":{"polluted":1}}}', '{"constructor":{"prototype":{"polluted":1}}}'],
  ])(
    '%s with %s is %s: names that objects inherit are names like any other',
    async (value, patch, result) => {
      const merged = await applyMergePatch(JSON.parse(value), JSON.parse(patch))
      expect(JSON.stringify(merged)).toBe(result)
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
      expect({}).not.toHaveProperty('polluted')
    },
  )
})
