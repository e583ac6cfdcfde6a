import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskJson } from '../../../src/layers/parts/mask-secrets.ts'
import { isSecretName } from '../../../src/layers/parts/secrets.ts'

/** All names, and what could be one in a pointer of a JSON Patch. */
function wordsIn(json: string): string[] {
  const words: string[] = []
  JSON.parse(json, (name, value) => {
    words.push(name, ...(typeof value === 'string' ? value.split('/') : []))
    return value
  })
  return words
}

describe('maskJson', () => {
  it.each([
    ['{"name":"a"}', '{"name":"a"}'],
    ['{"password":"hush"}', '{"password":"***"}'],
    ['{ "accessToken" : "hush" , "a": 1 }', '{ "accessToken" : "***" , "a": 1 }'],
    ['{"pin_secret":1234}', '{"pin_secret":"***"}'],
    ['{"passwords":["hush",{"a":"hush"}],"b":1}', '{"passwords":"***","b":1}'],
    ['[{"user":{"password":"hush"}}]', '[{"user":{"password":"***"}}]'],
    ['{"pass\\u0077ord":"hush"}', '{"pass\\u0077ord":"***"}'],
    ['{"password":"a\\"b","c":1}', '{"password":"***","c":1}'],
    [
      '[{"op":"add","path":"/password","value":"hush"},{"op":"add","path":"/a","value":1}]',
      '[{"op":"add","path":"/password","value":"***"},{"op":"add","path":"/a","value":"***"}]',
    ],
    ['[{"value":["hush"],"path":"/a/pass\\u0077ord/0"}]', '[{"value":"***","path":"/a/pass\\u0077ord/0"}]'],
    ['[{"path":"\\/password","value":"hush"', '[{"path":"\\/password","value":"***"'],
    ['[{"op":"add","path":"/name","value":"a"}]', '[{"op":"add","path":"/name","value":"a"}]'],
    ['{"path":"/password","value":"a"}', '{"path":"/password","value":"a"}'],
    ['{"note":"my password: \\"hush\\""}', '{"note":"my password: \\"hush\\""}'],
  ])('turns %s into %s', (text, expected) => {
    expect(maskJson(text)).toBe(expected)
  })

  it.each([
    '{"password":"hus',
    '{"password":["hush","hus',
    '{"a":{"token":{"b":"hush',
    '{"password":"hush\\',
  ])('masks what was cut off: %s', (text) => {
    expect(maskJson(text)).not.toContain('hus')
  })

  it('terminates and lets no secret through, whatever the input', () => {
    const unit = fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', ' ', 'x', '"password":"hush"')
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(maskJson(`{"password":"hush",${text}`)).toMatch(/^\{"password":"\*\*\*",/)
      }),
    )
  })

  it('keeps everything else, whatever it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(maskJson(text).length).toBeGreaterThan(0)
        if (!wordsIn(text).some(isSecretName)) expect(maskJson(text)).toBe(text)
      }),
    )
  })
})
