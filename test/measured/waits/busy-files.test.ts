import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RealServer, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'
import { LONGEST_WAIT, othersWaitAtBest } from '../../support/hostile/others-wait.ts'

const ROWS = 500_000

describe('a large file that a request has to read', { timeout: 120_000 }, () => {
  let json: string
  beforeAll(() => {
    const rows = Array.from({ length: ROWS }, (_, n) => ({ id: n + 1, name: `Product ${n}`, price: n / 4 }))
    json = JSON.stringify({ others: [{ id: 1 }], products: rows })
  })
  const SNAPSHOT = 'db-1700000000000'

  it('keeps nobody waiting when it turns out to be broken near its end', async () => {
    const start = async () => {
      const home = folderOf({ 'db.json': { others: [{ id: 1 }] }, [`${SNAPSHOT}.json`]: `${json}}` })
      return serveHome(home, { args: ['--snapshots', '.'] })
    }
    const wait = await othersWaitAtBest(start, async ({ ask }) => {
      expect((await ask('PUT', `/__snapshots__/${SNAPSHOT}`)).status).toBe(422)
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })

  it.each<[string, (home: string) => Promise<unknown>, (server: RealServer) => Promise<number>]>([
    [
      'a snapshot that is restored',
      async () => {},
      async ({ ask }) => (await ask('PUT', `/__snapshots__/${SNAPSHOT}`)).status,
    ],
    [
      'the data file, edited from outside, at the next write',
      (home) => rename(join(home, `${SNAPSHOT}.json`), join(home, 'db.json')),
      async ({ ask }) => (await ask('PATCH', '/others/1', { seen: true })).status,
    ],
  ])('keeps nobody waiting: %s', async (_, prepare, act) => {
    const start = async () => {
      const home = folderOf({ 'db.json': { others: [{ id: 1 }] } })
      const server = await serveHome(home, { args: ['--snapshots', '.'] })
      await server.ask('GET', '/others')
      await writeFile(join(home, `${SNAPSHOT}.json`), json)
      await prepare(home)
      return server
    }
    const wait = await othersWaitAtBest(start, async (server) => {
      expect(await act(server)).toBe(200)
      const { headers } = await server.ask('GET', '/products?_limit=1')
      expect(headers['x-total-count']).toBe(String(ROWS))
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })

  it('keeps nobody waiting while a lot of YAML is read and saved', async () => {
    const rows = Array.from(
      { length: 8000 },
      (_, n) => `- id: ${n + 1} # row\n  name: Product ${n}\n  price: ${n}.5\n`,
    )
    const start = async () => {
      const home = folderOf({ 'data/products.yaml': '- id: 1\n', 'data/others.json': '[{"id":1}]' })
      const server = await serveHome(home, { source: 'data' })
      await server.ask('GET', '/others')
      await writeFile(join(home, 'data/products.yaml'), rows.join(''))
      return server
    }
    const wait = await othersWaitAtBest(start, async ({ ask }) => {
      expect((await ask('POST', '/products', { name: 'New' })).status).toBe(201)
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })

  it('keeps nobody waiting while rows with hidden fields are compared with their file', async () => {
    const users = Array.from({ length: 300_000 }, (_, n) => ({
      ...{ id: n + 1, email: `u${n}@x.test`, password: 'no hash', name: `User ${n}` },
    }))
    const home = folderOf({
      'data/users.json': users,
      'data/others.json': [{ id: 1 }],
      'restable.config.json': {
        middlewares: ['accounts'],
        resources: { users: { access: { read: 'anyone', update: 'anyone' } } },
      },
    })
    const start = () => serveHome(home, { source: 'data' })
    const wait = await othersWaitAtBest(start, async ({ ask }) => {
      expect((await ask('PATCH', `/users/${users.length}`, { name: 'New' })).status).toBe(200)
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })
})
