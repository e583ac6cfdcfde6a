import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { cors } from '../../../src/core/layers/cors.ts'
import { echo } from '../../support/http/echo.ts'
import { exchange } from '../../support/http/exchange.ts'
import { expressVersions } from '../../support/http/guarded.ts'

const DOCUMENTED = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, PATCH, OPTIONS',
  'access-control-allow-headers': 'Origin, X-Requested-With, Content-Type, Accept, Authorization',
}

function corsHeaders(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))
}

describe.each(expressVersions)('cors in %s', (_, make) => {
  it.each(['GET', 'POST', 'DELETE'])(
    'puts exactly three headers on a %s and lets it through',
    async (method) => {
      const { port, seen } = await echo([cors()], make)
      const answer = await exchange(port, {
        method,
        path: '/products',
        headers: { origin: 'http://page.test' },
      })
      expect(corsHeaders(answer.headers)).toEqual(DOCUMENTED)
      expect(seen).toHaveLength(1)
    },
  )

  it.each([{}, { origin: 'http://page.test', 'access-control-request-method': 'PUT' }])(
    'answers OPTIONS itself, with 200 and nothing more (%j)',
    async (headers) => {
      const { port, seen } = await echo([cors()], make)
      const answer = await exchange(port, { method: 'OPTIONS', path: '/products', headers })
      expect(answer).toMatchObject({ status: 200, body: '' })
      expect(answer.headers).toMatchObject({ 'content-length': '0' })
      expect(answer.headers).not.toHaveProperty('content-type')
      expect(corsHeaders(answer.headers)).toEqual(DOCUMENTED)
      expect(seen).toEqual([])
    },
  )
})

describe('cors', () => {
  it('allows the headers that it is told to', async () => {
    const { port } = await echo([cors({ allowedHeaders: ['Content-Type', 'X-API-KEY'] })])
    const answer = await exchange(port, { method: 'OPTIONS', path: '/' })
    expect(answer.headers['access-control-allow-headers']).toBe('Content-Type, X-API-KEY')
  })

  it.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['content-type', undefined, []],
    ['if-match', undefined, ['if-match']],
    ['Content-Type, If-Match,prefer', undefined, ['if-match', 'prefer']],
    ['if-match', ['If-Match'], []],
    ['if-match', ['*'], []],
    ['authorization', ['*'], ['authorization']],
    [`\u001b[31m, a b, ${'x'.repeat(61)}`, undefined, []],
    [Array.from({ length: 50 }, (_, at) => `x-${at}`).join(), ['*', 'x-0'], []],
  ])('says once which headers a page wants to send and may not: %s', async (wanted, allowed, said) => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const { port } = await echo([cors({ ...(allowed && { allowedHeaders: allowed }), log })])
    const headers = {
      origin: 'http://page.test',
      'access-control-request-headers': wanted.replace(/[^\x20-\x7e]/g, '?'),
    }
    for (const method of ['OPTIONS', 'OPTIONS', 'GET']) await exchange(port, { method, path: '/', headers })
    const line = (name: string) =>
      `cors: a page wants to send ${name}, and browsers will not. Add it to cors.allowedHeaders.`
    expect(lines).toEqual(said.map(line))
  })

  it('says so of twenty headers at most', async () => {
    const lines: string[] = []
    const { port } = await echo([cors({ log: (line) => lines.push(line) })])
    const headers = {
      'access-control-request-headers': Array.from({ length: 50 }, (_, at) => `x-${at}`).join(),
    }
    await exchange(port, { method: 'OPTIONS', path: '/', headers })
    expect(lines).toHaveLength(20)
  })

  it.each([
    { allowedHeaders: 'X-API-KEY' },
    { allowedHeaders: [1] },
    { allowedHeaders: ['a\r\nb: c'] },
    { log: 1 },
    { origin: '*' },
    { origin: () => true },
    null,
  ])('refuses the options %j', (options) => {
    expect(() => Reflect.apply(cors, undefined, [options])).toThrow(ConfigError)
  })
})
