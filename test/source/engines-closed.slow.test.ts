import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Settings } from '../../src/index.ts'
import { type RunningServer, start } from '../../src/serve/start.ts'
import { openPostgres } from '../../src/stores/postgres/open-postgres.ts'
import { folderOf } from '../support/folder.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../support/postgres/cluster.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A schema whose connections can be counted. */
interface Counted {
  readonly source: string
  readonly schema: string
  connections(): Promise<number>
  /** Whether anybody has ever opened it. */
  isMade(): Promise<boolean>
}

async function counted(): Promise<Counted> {
  const plain = await freshAddress()
  const name = `n${randomBytes(6).toString('hex')}`
  const schema = /schema=(\w+)/.exec(plain)?.[1] ?? ''
  return {
    source: plain.replace('&schema', `&application_name=${name}&schema`),
    schema,
    connections: async () =>
      (await runIn(plain, `SELECT 1 FROM pg_stat_activity WHERE application_name = '${name}'`)).length,
    isMade: async () =>
      (await runIn(plain, `SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`)).length > 0,
  }
}

describe.skipIf(!hasPostgres)(`connections of engines${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  const patience = { timeout: 10_000 }
  const servers: RunningServer[] = []
  const lines: string[] = []
  let folder: string
  beforeEach(() => {
    folder = folderOf()
    lines.length = 0
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  const path = () => join(folder, 'config.json')
  const configure = (settings: Settings) =>
    writeFileSync(path(), JSON.stringify({ watch: true, ...settings }))
  async function serve(settings: Settings): Promise<RunningServer> {
    configure(settings)
    const read = async (): Promise<Settings> => JSON.parse(readFileSync(path(), 'utf8'))
    const print = (line: string) => void lines.push(line)
    const server = await start({ ...(await read()), quiet: false, print, configFile: { path: path(), read } })
    servers.push(server)
    return server
  }
  const isServing = (server: RunningServer, { source }: Counted) =>
    expect.poll(() => server.config.source, patience).toBe(source)

  it('end when a reload has replaced them, and requests in flight finish first', async () => {
    const [one, two] = [await counted(), await counted()]
    const gate = new EventEmitter()
    Object.assign(globalThis, { enginesGate: gate })
    const file = join(folder, 'wait.cjs')
    writeFileSync(
      file,
      `module.exports = (req, res, next) => {
        if (!req.headers['x-wait']) return next()
        globalThis.enginesGate.once('open', () => next()).emit('entered')
      }`,
    )
    const server = await serve({ source: one.source, middlewares: [file] })
    await fetch(`${server.url}/posts/1`, { method: 'PATCH', body: '{"title":"of one"}', headers: JSON_TYPE })
    const entered = once(gate, 'entered')
    const slow = fetch(`${server.url}/posts/1`, { headers: { 'x-wait': 'yes' } })
    await entered
    configure({ source: two.source, middlewares: [file] })
    await isServing(server, two)
    expect(await (await fetch(`${server.url}/posts/1`)).json()).not.toMatchObject({ title: 'of one' })
    expect(await one.connections()).toBeGreaterThan(0)
    gate.emit('open')
    expect(await (await slow).json()).toMatchObject({ title: 'of one' })
    await expect.poll(one.connections, patience).toBe(0)
    expect((await fetch(`${server.url}/posts/1`)).status).toBe(200)
    await server.close()
    expect(await two.connections()).toBe(0)
  })

  it('end when a reload fails after it has opened them, and nobody else notices', async () => {
    const [one, two] = [await counted(), await counted()]
    const server = await serve({ source: one.source })
    configure({ source: two.source, middlewares: [join(folder, 'missing.cjs')] })
    await expect.poll(() => lines.join('\n'), patience).toMatch(/missing\.cjs/)
    expect(await two.isMade()).toBe(true)
    await expect.poll(two.connections, patience).toBe(0)
    expect(server.config.source).toBe(one.source)
    expect((await fetch(`${server.url}/posts/1`)).status).toBe(200)
  })

  it('end when a server cannot start', async () => {
    const [one, two] = [await counted(), await counted()]
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await expect(start({ source: one.source, port, host: '127.0.0.1' })).rejects.toThrow(/use/)
    taken.close()
    await expect(start({ source: two.source, middlewares: [join(folder, 'missing.cjs')] })).rejects.toThrow(
      /missing\.cjs/,
    )
    for (const each of [one, two]) {
      expect(await each.isMade()).toBe(true)
      await expect.poll(each.connections, patience).toBe(0)
    }
  })

  it('end when an engine fails once it listens', async () => {
    const one = await counted()
    const open = () => openPostgres(one.source, { sample: () => ({ posts: [] }) })
    await (await open()).store.close()
    await runIn(one.source, `ALTER TABLE "${one.schema}".state DROP COLUMN secret`)
    await expect(open()).rejects.toThrow()
    await expect.poll(one.connections, patience).toBe(0)
  })
})
