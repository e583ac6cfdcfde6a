import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskJson, maskUrl } from '../../../../src/core/layers/parts/mask-secrets.ts'
import { isSecretName, isSecretParameter } from '../../../../src/core/layers/parts/secrets.ts'

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

describe('maskUrl', () => {
  const ROOTS =
    'password passwd passphrase passcode pwd pw secret credentials token accessToken refreshTokens jwt bearer otp signature ' +
    'authorization apiKey privateKey sshKey key auth userPass passHash sig csrf xsrf cookie jsessionid phpsessid sessionid ' +
    'connectSid dbPass clientSecret'
  const named = fc
    .tuple(
      fc.constantFrom(...ROOTS.split(' ')),
      fc.constantFrom('', '_', '-', '.', '__'),
      fc.nat(3),
      fc.nat(),
    )
    .map(([root, separator, style, at]) => {
      const words = root.replace(/[A-Z]/g, (letter) => `${separator}${letter}`)
      const cut = at % words.length
      const name = style === 3 ? words.slice(0, cut) + separator + words.slice(cut) : words
      return style === 1 ? name.toUpperCase() : style === 2 ? name.toLowerCase() : name
    })

  it('misses no parameter that has the name of a secret, however it is written', () => {
    let secrets = 0
    fc.assert(
      fc.property(named, fc.constantFrom('/a?', '/a?b=1&', '/a;', '/a?b=1;'), (name, before) => {
        if (!isSecretParameter(name)) return
        secrets += 1
        expect(maskUrl(`${before}${name}=hush`)).not.toContain('hush')
      }),
      { numRuns: 2000 },
    )
    expect(secrets).toBeGreaterThan(500)
  })

  it.each([
    '/a?filter={"a":{"password":"hush"},"a":1}',
    '/a?filter=%7B%22a%22%3A%7B%22password%22%3A%22hush%22%7D%2C%22a%22%3A1%7D',
    '/a?f=[[{"op":"add","path":"/password","value":"hush"}]]',
  ])('masks %s', (url) => {
    expect(maskUrl(url)).not.toContain('hush')
  })
})
