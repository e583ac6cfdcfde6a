import { describe, expect, it } from 'vitest'
import { toCurl, toFetch } from '../../src/page/client/snippets.ts'

const url = 'http://localhost:3000/products?name=O%27Brien'

describe('toCurl', () => {
  it.each([
    [{ method: 'GET', url }, {}, `curl '${url}'`],
    [
      { method: 'POST', url, body: '{"a":1}' },
      {},
      `curl -X POST '${url}' -H 'Content-Type: application/json' --data-raw '{"a":1}'`,
    ],
    [{ method: 'GET', url }, { apiKey: 'secret-key' }, `curl '${url}' -H "X-API-KEY: $API_KEY"`],
    [{ method: 'GET', url }, { token: 'secret' }, `curl '${url}' -H "Authorization: Bearer $TOKEN"`],
    [{ method: 'GET', url }, { session: 'worker-3' }, `curl '${url}' -H 'X-Mock-Session: worker-3'`],
    [{ method: 'GET', url }, { user: 'ada@x.org' }, `curl '${url}' -H 'X-Mock-User: ada@x.org'`],
    [
      {
        method: 'POST',
        url,
        headers: {
          ...{ host: 'localhost', 'content-length': '3', 'sec-fetch-mode': 'cors', 'x-restable-page': '1' },
          ...{ 'content-type': 'application/x-www-form-urlencoded', 'x-trace': '$(id)' },
          ...{ 'x-api-key': '***', authorization: 'Bearer ***', 'x-access-key': '***', '`id`-token': '***' },
        },
        body: 'a=1',
      },
      { apiKey: 'of the page', session: 'of-the-page' },
      [
        `curl -X POST '${url}' -H 'content-type: application/x-www-form-urlencoded' -H 'x-trace: $(id)'`,
        `-H "x-api-key: $API_KEY" -H "authorization: Bearer $TOKEN" -H "x-access-key: $X_ACCESS_KEY"`,
        `-H '\`id\`-token: ***' --data-raw 'a=1'`,
      ].join(' '),
    ],
  ])('writes %j', (call, shown, expected) => {
    expect(toCurl(call, shown)).toBe(expected)
  })
})

describe('toFetch', () => {
  it.each(['plain', `it's "quoted" \\ and\nbroken`, '漢字 \u2028'])(
    'is JavaScript that sends %j',
    async (body) => {
      const sent: unknown[] = []
      const stand = (...args: unknown[]) => {
        sent.push(args)
        return { json: () => ({}) }
      }
      const AsyncFunction = (async () => {}).constructor as FunctionConstructor
      await new AsyncFunction('fetch', toFetch({ method: 'POST', url, body }))(stand)
      expect(sent).toEqual([[url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }]])
    },
  )
})
