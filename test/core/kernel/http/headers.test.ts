import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseEntityTags, preferencesOf } from '../../../../src/core/kernel/http/headers.ts'
import { cpuTime } from '../../../support/cpu-time.ts'

const TAG = 'W/"1f-aB+/3"'

describe('If-Match and If-None-Match name a tag', () => {
  it.each([
    ['W/"1f-aB+/3"', true],
    ['"1f-aB+/3"', true],
    ['1f-aB+/3', true],
    ['W/1f-aB+/3', true],
    ['"a", W/"1f-aB+/3" ,"b"', true],
    ['"a,b","1f-aB+/3"', true],
    ['"1F-AB+/3"', false],
    ['w/"1f-aB+/3"', false],
    ['"a"', false],
    ['', false],
    ['"', false],
    ['"1f-aB+/3', false],
    [',,,', false],
    ['*', false],
  ])('%s: %s', (header, isNamed) => {
    expect(parseEntityTags(header)?.has(TAG)).toBe(isNamed)
  })

  it.each([
    ['*', true],
    [' * ', true],
    ['"*"', false],
    ['*, "a"', false],
    ['', false],
  ])('or any, as in %j: %s', (header, isAny) => {
    expect(parseEntityTags(header)?.isAny).toBe(isAny)
  })

  it('or are not there', () => {
    expect(parseEntityTags(undefined)).toBeUndefined()
  })
})

describe('a Prefer header', () => {
  it.each<[string, Record<string, string>]>([
    ['return=minimal', { return: 'minimal' }],
    ['Return=minimal', { return: 'minimal' }],
    ['return = minimal', { return: 'minimal' }],
    ['return="minimal"', { return: 'minimal' }],
    ['return=Minimal', { return: 'Minimal' }],
    ['respond-async', { 'respond-async': '' }],
    ['respond-async, wait=100', { 'respond-async': '', wait: '100' }],
    ['code=503, delay=2000, when=after', { code: '503', delay: '2000', when: 'after' }],
    ['return=minimal; foo="some parameter"', { return: 'minimal' }],
    ['handling=lenient; a="b, return=minimal", wait=10', { handling: 'lenient', wait: '10' }],
    ['a="x, y=\\"z\\"", b=1', { a: 'x, y="z"', b: '1' }],
    ['return=minimal, return=representation', { return: 'minimal' }],
    ['foo; bar', { foo: '' }],
    ['foo=""', { foo: '' }],
    ['foo=', { foo: '' }],
    [', ,return=minimal,,', { return: 'minimal' }],
    ['__proto__=1, constructor=2', { ['__proto__']: '1', constructor: '2' }],
    ['', {}],
    ['=minimal', {}],
    ['return minimal, wait=1', { wait: '1' }],
    ['"return"=minimal, wait=1', { wait: '1' }],
    ['foo="open, wait=1', {}],
    ['foo="open\\', {}],
  ])('%s is read as %o', (text, preferences) => {
    expect([...preferencesOf({ headers: { prefer: text } })]).toEqual(Object.entries(preferences))
  })

  it('may come several times', async () => {
    const found = await new Promise((resolve) => {
      const server = createServer((req, res) => {
        resolve([...preferencesOf(req)])
        res.end()
        server.close()
      }).listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo
        request({
          port,
          host: '127.0.0.1',
          headers: { Prefer: ['return=minimal', 'wait=1, return=x'] },
        }).end()
      })
    })
    expect(found).toEqual([
      ['return', 'minimal'],
      ['wait', '1'],
    ])
  })

  it('that is missing prefers nothing', () => {
    expect(preferencesOf({ headers: {} }).size).toBe(0)
  })

  it('is read in no time, whatever it holds', () => {
    const start = cpuTime()
    for (const text of ['"\\', 'a="\\"', ',"', '" "', ' ', 'a=;'])
      preferencesOf({ headers: { prefer: text.repeat(4000) } })
    expect(cpuTime() - start).toBeLessThan(1000)
  })
})
