import { describe, expect, it } from 'vitest'
import { noCache, readOnly } from '../../../src/core/layers/default-layers.ts'
import { echo } from '../../support/http/echo.ts'
import { exchange } from '../../support/http/exchange.ts'
import { expressVersions } from '../../support/http/guarded.ts'

it.each(expressVersions)('noCache in %s puts its three headers on every answer', async (_, make) => {
  const { port } = await echo([noCache], make)
  const answer = await exchange(port, { method: 'GET', path: '/' })
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', pragma: 'no-cache', expires: '-1' })
})

describe.each(expressVersions)('readOnly in %s', (_, make) => {
  it.each(['GET', 'HEAD', 'OPTIONS'])('lets %s through', async (method) => {
    const { port, seen } = await echo([readOnly()], make)
    expect((await exchange(port, { method, path: '/products' })).status).toBe(200)
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['POST', {}],
    ['PUT', {}],
    ['PATCH', {}],
    ['DELETE', {}],
    ['POST', { 'x-http-method-override': 'GET' }],
    ['GET', { 'x-http-method-override': 'DELETE' }],
  ])('refuses %s with %j', async (method, headers) => {
    const { port, seen } = await echo([readOnly()], make)
    const answer = await exchange(port, { method, path: '/products', headers })
    expect(answer.status).toBe(403)
    expect(Object.keys(JSON.parse(answer.body))).toEqual(['error', 'message', 'code'])
    expect(JSON.parse(answer.body).code).toBe('READ_ONLY')
    expect(seen).toEqual([])
  })
})
