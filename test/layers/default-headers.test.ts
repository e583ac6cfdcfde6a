import { expect, it } from 'vitest'
import { noCache } from '../../src/layers/default-headers.ts'
import { echo } from '../support/http/echo.ts'
import { exchange } from '../support/http/exchange.ts'
import { expressVersions } from '../support/http/guarded.ts'

it.each(expressVersions)('noCache in %s puts its three headers on every answer', async (_, make) => {
  const { port } = await echo([noCache()], make)
  const answer = await exchange(port, { method: 'GET', path: '/' })
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', pragma: 'no-cache', expires: '-1' })
})
