import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningServer, start } from '../../../src/app/start.ts'
import { openPostgres } from '../../../src/storage/postgres/postgres-engine.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { CountingProxy } from '../../support/postgres/counting-proxy.ts'

const ROWS = 12_000
const DATA = {
  // All of them take about 3 MB on the way, 2,000 half a megabyte.
  items: Array.from({ length: ROWS }, (_, at) => ({
    id: at + 1,
    n: at === 5 ? 'five' : at,
    text: 'x'.repeat(200),
  })),
  few: [{ id: 1, revenue: 1.5 }, { id: 2, revenue: 2.25 }, { id: 3 }],
  profile: { name: 'me' },
}

/** Much less than all rows, and more than those that are looked at. */
const SOME = 1_000_000
/** Hardly any rows. */
const NONE = 60_000

describe.skipIf(!hasPostgres)(`of a large database${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  let proxy: CountingProxy
  let server: RunningServer
  let other: RunningServer
  let startBytes = 0
  const lines: string[] = []
  beforeAll(async () => {
    const source = await freshAddress()
    const filled = await openPostgres(source, { id: 'id', foreignKeySuffix: 'Id', sample: () => DATA })
    await filled.close()
    proxy = await CountingProxy.start(source)
    server = await start({
      source: proxy.address,
      quiet: false,
      print: (line) => lines.push(line),
      resources: { items: { schema: { type: 'object', properties: { n: { type: 'number' } } } } },
    })
    await vi.waitFor(() => expect(lines.join('\n')).toContain('fit the schema'), { timeout: 10_000 })
    startBytes = proxy.bytes
    other = await start({ source })
  })
  afterAll(async () => {
    await server.close()
    await other.close()
    await proxy.close()
  })

  async function passed<T>(work: () => Promise<T>): Promise<[found: T, bytes: number]> {
    const before = proxy.bytes
    const found = await work()
    return [found, proxy.bytes - before]
  }
  const get = async (path: string): Promise<object> =>
    JSON.parse(await (await fetch(server.url + path)).text())
  const fieldsOf = async (name: string) =>
    Object.keys(Reflect.get(await get(`/__schema/${name}`), 'properties'))

  it('the start looks at some rows, and says what it sees', () => {
    expect(startBytes).toBeGreaterThan(NONE)
    expect(startBytes).toBeLessThan(SOME)
    expect(lines).toContainEqual(
      expect.stringMatching(/^items: 1 of the first 2000 rows does not fit the schema .*: id 6 /),
    )
  })

  it('an object is read without any row', async () => {
    const [profile, bytes] = await passed(() => get('/profile'))
    expect(profile).toEqual(DATA.profile)
    expect(bytes).toBeLessThan(NONE)
  })

  it('some rows are described, and none again until something changes', async () => {
    const [fields, bytes] = await passed(() => fieldsOf('items'))
    expect(fields).toEqual(['id', 'n', 'text'])
    expect(bytes).toBeGreaterThan(NONE)
    expect(bytes).toBeLessThan(SOME)
    for (const path of ['/__schema', '/__openapi', '/__schema/items', '/__schema/few']) {
      expect([path, (await passed(() => get(path)))[1] < NONE]).toEqual([path, true])
    }
  })

  it.each([
    ['here', () => server],
    ['elsewhere', () => other],
  ])('what changes %s is described', async (field, where) => {
    const describedFields = () => fieldsOf('few')
    expect(await describedFields()).not.toContain(field)
    const body = JSON.stringify({ [field]: true })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(`${where().url}/few`, { method: 'POST', body, headers })).status).toBe(201)
    if (where() === server) expect(await describedFields()).toContain(field)
    await expect.poll(describedFields).toContain(field)
  })

  it('rows are counted by the database', async () => {
    const [stats, bytes] = await passed(() => get('/stats'))
    const few = Reflect.get(await get('/few'), 'length')
    expect(stats).toEqual({ items: ROWS, few, totalRevenue: 3.75 })
    expect(bytes).toBeLessThan(NONE)
  })
})
