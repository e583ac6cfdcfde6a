import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { memoryOf } from '../support/child/memory-of.ts'
import { saved, serveHome } from '../support/child/real-server.ts'
import { Random } from '../support/faults/random.ts'
import { folderOf } from '../support/folder.ts'
import { asLong } from '../support/length.ts'

const SECONDS = asLong(3, 10)
const CONNECTIONS = 50
/** Megabytes: the response cache (64 at most), plus heap growth between garbage collections. */
const GROWTH = 250

const COMPANIES = Array.from({ length: 100 }, (_, n) => ({
  id: n + 1,
  name: `Company ${n}`,
  revenue: n * 1000.5,
  locations: [{ city: n % 2 ? 'Rome' : 'Oslo', employee_number: n }],
}))
const PRODUCTS = Array.from({ length: 1000 }, (_, n) => ({
  id: n + 1,
  name: `Product ${n}`,
  price: (n * 7919) % 1000,
  company_id: (n % 100) + 1,
}))

it(`${SECONDS} seconds of mixed traffic over ${CONNECTIONS} connections: nothing fails, nothing is dropped, memory stays`, {
  timeout: SECONDS * 1000 + 60_000,
}, async () => {
  const home = folderOf({ 'db.json': { products: PRODUCTS, companies: COMPANIES } })
  const server = await serveHome(home, { config: { foreignKeySuffix: '_id', quiet: false } })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const statuses = new Map<number, number>()
  const created: number[] = []
  let dropped = 0

  const ask = async (method: string, path: string, body?: object): Promise<string> => {
    const headers = body ? { 'content-type': 'application/json' } : {}
    const sent = request({ agent, host: '127.0.0.1', port: server.port, method, path, headers })
    const answered = new Promise<string>((resolve, reject) => {
      sent.on('error', reject).on('response', (res) => {
        statuses.set(res.statusCode ?? 0, (statuses.get(res.statusCode ?? 0) ?? 0) + 1)
        text(res).then(resolve, reject)
      })
    })
    sent.end(body && JSON.stringify(body))
    return answered
  }

  const client = async (random: Random, until: number): Promise<void> => {
    while (performance.now() < until) {
      const id = random.below(1000) + 1
      try {
        const turn = random.below(20)
        if (turn < 10) await ask('GET', random.pick(READS).replace('ID', String(id)))
        else if (turn < 12)
          await ask('GET', `/products?price_gte=${id}&name_like=${id % 10}$&_sort=price&_page=1`)
        else if (turn < 15)
          created.push(JSON.parse(await ask('POST', '/products', { name: 'new', price: id })).id)
        else if (turn < 18)
          await ask(random.pick(['PUT', 'PATCH']), `/products/${id}`, { name: `changed ${id}` })
        else await ask('DELETE', `/products/${created.pop() ?? 0}`)
      } catch {
        dropped += 1
      }
    }
  }

  const run = (seconds: number, seed: number): Promise<unknown> => {
    const until = performance.now() + seconds * 1000
    return Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => client(new Random(seed + n), until)))
  }

  await run(1, 1)
  const before = memoryOf(server.process.child.pid)
  await run(SECONDS, 1000)
  const growth = memoryOf(server.process.child.pid) - before
  agent.destroy()

  expect(dropped).toBe(0)
  expect([...statuses.keys()].filter((status) => ![200, 201, 404].includes(status))).toEqual([])
  expect(statuses.get(201)).toBeGreaterThan(50)
  expect(growth).toBeLessThan(GROWTH)
  expect(await server.served()).toEqual(await saved(home))
  expect(await server.stop('SIGTERM')).toBe(0)
})

const READS = [
  '/products/ID',
  '/products/ID',
  '/products?_page=3&_limit=20',
  '/products?company_id=7',
  '/products?q=99',
  '/companies?locations.city=Rome&_embed=products&_limit=5',
  '/products/ID?_expand=company',
  '/companies/7/products',
  '/nothing',
] as const
