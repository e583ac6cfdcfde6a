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
    ['{ "accessToken" : "hush" , "a": 1 }', '{"accessToken":"***","a":1}'],
    ['{\n  "token": "hush"\n}', '{\n  "token": "***"\n}'],
    ['{"a":{"token":"hush"},"a":1,"token":"hush","token":2}', '{"a":1,"token":"***"}'],
    ['{"__proto__":{"token":"hush"}}', '{"__proto__":{"token":"***"}}'],
    ['{"pin_secret":1234}', '{"pin_secret":"***"}'],
    ['{"passwords":["hush",{"a":"hush"}],"b":1}', '{"passwords":"***","b":1}'],
    ['[{"user":{"password":"hush"}}]', '[{"user":{"password":"***"}}]'],
    ['{"pass\\u0077ord":"hush"}', '{"password":"***"}'],
    ['{"password":"a\\"b","c":1}', '{"password":"***","c":1}'],
    [
      '[{"op":"add","path":"/password","value":"hush"},{"op":"add","path":"/a","value":1}]',
      '[{"op":"add","path":"/password","value":"***"},{"op":"add","path":"/a","value":"***"}]',
    ],
    ['[{"value":["hush"],"path":"/a/pass\\u0077ord/0"}]', '[{"value":"***","path":"/a/password/0"}]'],
    ['[{"op":"add","path":"/name","value":"a"}]', '[{"op":"add","path":"/name","value":"a"}]'],
    ['{"path":"/password","value":"a"}', '{"path":"/password","value":"a"}'],
    ['{"note":"my password: \\"hush\\""}', '{"note":"my password: \\"hush\\""}'],
  ])('turns %s into %s', (text, expected) => {
    expect(maskJson(text)).toEqual({ text: expected, isMasked: expected.includes('***') })
  })

  it.each(['{"password":"hus', '{"password":["hush","hus', '{"a":1} {"password":"hush"}', 'hush', ''])(
    'has nothing to show of what is no JSON: %s',
    (text) => expect(maskJson(text)).toBeUndefined(),
  )

  it('has nothing to show of what is too deep', () => {
    expect(maskJson(`${'['.repeat(100_000)}"hush"${']'.repeat(100_000)}`)).toBeUndefined()
  })

  it('keeps everything else, whatever it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const same = {
          text: JSON.stringify(JSON.parse(text), null, text.includes('\n') ? 2 : 0),
          isMasked: false,
        }
        if (!wordsIn(text).some(isSecretName)) expect(maskJson(text)).toEqual(same)
      }),
    )
  })
})
