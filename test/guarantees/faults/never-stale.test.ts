import type { Request, RequestHandler } from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainDb, type RunningServer, start } from '../../../src/index.ts'
import { asking } from '../../support/http/asking.ts'
import { asLong } from '../../support/length.ts'
import { hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { filledAddress } from '../../support/postgres/fill.ts'

const TIMES = asLong(200, 10_000)

describe.skipIf(!hasPostgres)(`two servers of one database${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  const servers: RunningServer[] = []
  beforeAll(async () => {
    const source = await filledAddress({ posts: [] })
    const middlewares = [
      ((req, res, next) => (req.path === '/last' ? res.json(lastPost(req)) : next())) as RequestHandler,
    ]
    for (const _ of [1, 2]) servers.push(await start({ source, middlewares, quiet: true }))
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  it('never give what is older than what either of them has acknowledged', async () => {
    const [a, b] = servers.map(({ url }) => asking(url))
    if (!a || !b) throw new Error('There are two.')
    for (let times = 1; times <= TIMES; times++) {
      const [one, other] = times % 2 ? [a, b] : [b, a]
      const { status, body } = await one('POST', '/posts', { times })
      expect([status, body]).toEqual([201, { times, id: times }])
      const [last, list, item] = await Promise.all([
        other('GET', '/last'),
        other('GET', '/posts?_sort=id&_order=desc&_limit=1'),
        other('GET', `/posts/${times}`),
      ])
      expect([list.headers.get('x-total-count'), list.body, item.body]).toEqual([String(times), [body], body])
      expect(last.body).toEqual(body)
    }
  })

  it('let handlers in front read what either of them has acknowledged', async () => {
    const [a, b] = servers
    if (!a || !b) throw new Error('There are two.')
    const restore = b.use((req, res) => void res.json(lastPost(req)))
    for (let times = 1; times <= TIMES / 10; times++) {
      const { body } = await asking(a.url)('POST', '/posts', { front: times })
      expect((await asking(b.url)('GET', '/anything')).body).toEqual(body)
    }
    restore()
  })
})

/** As a middleware in JavaScript reads it. */
function lastPost(req: Request): unknown {
  const { db } = req as Request & { readonly db: ChainDb }
  return db.get('posts').last().value()
}
