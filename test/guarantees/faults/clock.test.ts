import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { Ledger } from '../../support/faults/ledger.ts'
import { Storm } from '../../support/faults/storm.ts'
import { folderOf } from '../../support/folder.ts'

const env = {
  NODE_OPTIONS: `--import=${new URL('../../support/faults/turn-back.mjs', import.meta.url).href}`,
}

it('a clock that is set back by a day in a storm of writes harms nothing', { timeout: 60_000 }, async () => {
  const home = folderOf({ 'db.json': { items: [] } })
  const config = { snapshots: 'snapshots', middlewares: ['jwt'], jwt: { secret: 'a secret of the test' } }
  const server = await serveHome(home, { config, env })
  const { body } = await server.ask('POST', '/login', { email: 'a@example.com', password: 'x' })
  const authorization = `Bearer ${JSON.parse(body).token}`
  const signedIn: RealServer = {
    ...server,
    ask: (method, path, sent, headers) => server.ask(method, path, sent, { ...headers, authorization }),
  }
  const first = await snapshot(signedIn)
  const ledger = new Ledger()
  const storm = new Storm(signedIn, ledger, { seed: 1, clients: 4 })
  await storm.answered(50)
  server.process.child.kill('SIGUSR2')
  await server.process.printed(/the clock was set back/)
  await storm.answered(150)
  await storm.end()
  expect(storm.answers.filter(({ status }) => status >= 400)).toEqual([])
  ledger.check(await saved(home))

  // Named by the clock, but never overwrites another.
  const second = await snapshot(signedIn)
  expect(second).not.toBe(first)
  expect(await readdir(join(home, 'snapshots'))).toHaveLength(2)
})

it('a rate limit ends after its time, whatever the clock says', { timeout: 30_000 }, async () => {
  const home = folderOf({ 'db.json': { items: [] } })
  const config = { middlewares: ['rate-limit'], rateLimit: { limit: 1, windowMs: 1500 } }
  const server = await serveHome(home, { config, env })
  await server.ask('GET', '/items')
  let answer = await server.ask('GET', '/items')
  expect(answer.status).toBe(429)
  server.process.child.kill('SIGUSR2')
  await server.process.printed(/the clock was set back/)
  const start = performance.now()
  while (answer.status === 429) {
    await sleep(50)
    answer = await server.ask('GET', '/items')
  }
  expect(answer.status).toBe(200)
  expect(performance.now() - start).toBeLessThan(6000)
})

async function snapshot(of: RealServer): Promise<string> {
  const { status, body } = await of.ask('POST', '/__snapshots__')
  expect(status).toBe(201)
  return JSON.parse(body).id
}
