import { describe, expect, it } from 'vitest'
import type { RunningServer } from '../../src/index.ts'
import { serve } from '../support/http/serve.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../support/postgres/cluster.ts'

const patience = { timeout: 20_000, interval: 20 }

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

async function tokenOf({ url }: RunningServer, path: string): Promise<string> {
  const response = await fetch(url + path, json({ email: 'ada@example.com', password: 'long enough' }))
  return Reflect.get(Object(await response.json()), 'token')
}

/** Whether a write with this token is let through. */
async function accepts({ url }: RunningServer, token: string): Promise<boolean> {
  const response = await fetch(`${url}/posts`, json({}, { authorization: `Bearer ${token}` }))
  return response.status < 400
}

describe.skipIf(!hasPostgres)(`tokens${hasPostgres ? '' : ` (${SKIPPED})`}`, { timeout: 60_000 }, () => {
  it.each([
    ['jwt', '/login'],
    ['accounts', '/register'],
  ])('of %s end with a schema that is dropped and made again', async (layer, path) => {
    const options = { source: await freshAddress(), middlewares: [layer], quiet: true }
    const running = await serve(options)
    const old = await tokenOf(running, path)
    await runIn(options.source, `DROP SCHEMA ${/schema=(\w+)/.exec(options.source)?.[1]} CASCADE`)
    const other = await serve(options)
    const fresh = await tokenOf(other, path)
    expect([await accepts(other, fresh), await accepts(other, old)]).toEqual([true, false])
    // As soon as the one that goes on running has heard of it, both agree again.
    await expect.poll(() => accepts(running, fresh), patience).toBe(true)
    expect(await accepts(running, old)).toBe(false)
    const next = await tokenOf(running, '/login')
    expect([await accepts(running, next), await accepts(other, next)]).toEqual([true, true])
  })

  it('signed with a secret of the settings stay good', async () => {
    const options = { source: await freshAddress(), middlewares: ['jwt'], jwt: { secret: 's' }, quiet: true }
    const running = await serve(options)
    const token = await tokenOf(running, '/login')
    await runIn(options.source, `DROP SCHEMA ${/schema=(\w+)/.exec(options.source)?.[1]} CASCADE`)
    await serve(options)
    await expect.poll(() => accepts(running, token), patience).toBe(true)
  })
})
