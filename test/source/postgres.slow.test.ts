import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { describeApi } from '../../src/features/describe/describe-api.ts'
import { type RunningServer, start } from '../../src/serve/start.ts'
import { fileOf, folderOf } from '../support/folder.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../support/postgres/cluster.ts'

describe.skipIf(!hasPostgres)(`a server on PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  const servers: RunningServer[] = []
  async function serve(source: string, lines: string[] = []): Promise<RunningServer> {
    const server = await start({ source, quiet: false, print: (line) => lines.push(line) })
    servers.push(server)
    return server
  }
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })
  const json = async (response: Response) => ({ status: response.status, body: await response.json() })
  const post = (url: string, body: unknown) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })

  it('starts with the sample, reads and writes, and is where it was when it starts again', async () => {
    const source = await freshAddress()
    const lines: string[] = []
    const server = await serve(source, lines)
    expect(lines).toEqual(['The database had no data: filled it with sample data.'])
    expect(await json(await fetch(`${server.url}/posts?_expand=none&author=Ada`))).toMatchObject({
      status: 200,
      body: [{ id: 1 }],
    })
    expect(await json(await post(`${server.url}/posts`, { title: 'new' }))).toEqual({
      status: 201,
      body: { title: 'new', id: 3 },
    })
    await server.close()
    const { url } = await serve(source)
    expect(await json(await fetch(`${url}/posts/3`))).toEqual({
      status: 200,
      body: { title: 'new', id: 3 },
    })
    const all = await fetch(`${url}/comments?_sort=id&_order=desc&_limit=2&_expand=post`)
    expect(all.headers.get('X-Total-Count')).toBe('3')
    expect(await all.json()).toMatchObject([
      { id: 3, post: { id: 2 } },
      { id: 2, post: { id: 1 } },
    ])
  })

  it('serves the same from two instances: what one writes, the other reads, caches included', async () => {
    const source = await freshAddress()
    const [one, two] = [await serve(source), await serve(source)]
    // Kept by both.
    for (let times = 0; times < 3; times++) await (await fetch(`${two.url}/posts/1`)).text()
    const patched = await fetch(`${one.url}/posts/1`, {
      method: 'PATCH',
      body: '{"title":"changed"}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(patched.status).toBe(200)
    await expect
      .poll(async () => (await json(await fetch(`${two.url}/posts/1`))).body)
      .toMatchObject({ title: 'changed' })
    expect((await json(await fetch(`${one.url}/posts/1`))).body).toMatchObject({ title: 'changed' })
  })

  it('undoes, redoes and resets', async () => {
    const { url } = await serve(await freshAddress())
    const db = async () => (await fetch(`${url}/db`)).text()
    const before = await db()
    await fetch(`${url}/posts/1`, { method: 'DELETE' })
    const after = await db()
    expect(after).not.toBe(before)
    expect((await post(`${url}/__undo`, {})).status).toBe(200)
    expect(await db()).toBe(before)
    expect((await post(`${url}/__redo`, {})).status).toBe(200)
    expect(await db()).toBe(after)
    expect((await post(`${url}/__reset`, {})).status).toBeLessThan(300)
    expect(await db()).toBe(before)
  })

  it('resets to what the database was filled with, whatever was there when the server started', async () => {
    const source = await freshAddress()
    const server = await serve(source)
    const db = async (url: string) => (await fetch(`${url}/db`)).text()
    const before = await db(server.url)
    await fetch(`${server.url}/posts/1`, { method: 'DELETE' })
    await post(`${server.url}/comments`, { body: 'more' })
    await server.close()
    const { url } = await serve(source)
    expect(await db(url)).not.toBe(before)
    expect((await post(`${url}/__reset`, {})).status).toBeLessThan(300)
    expect(await db(url)).toBe(before)
    // Also what was reset can be changed and reset.
    await fetch(`${url}/posts/2`, { method: 'DELETE' })
    expect((await post(`${url}/__reset`, {})).status).toBeLessThan(300)
    expect(await db(url)).toBe(before)
  })

  it('says at the start which rules and names are not as they seem, as it does of a file', async () => {
    const lines: string[] = []
    const server = await start({
      source: await freshAddress(),
      quiet: false,
      print: (line) => lines.push(line),
      resources: { post: { unique: ['title'] } },
    })
    servers.push(server)
    expect(lines).toContainEqual(
      expect.stringMatching(/^resources\.post: there is no such resource.* Did you mean "posts"\?$/),
    )
  })

  it('has sessions, whose changes stay in memory', async () => {
    const source = await freshAddress()
    const [server, other] = [await serve(source), await serve(source)]
    const headers = { 'X-Mock-Session': 'a' }
    await post(`${other.url}/posts`, { title: 'before' })
    expect((await fetch(`${server.url}/posts/1`, { method: 'DELETE', headers })).status).toBe(200)
    const inside = await json(await fetch(`${server.url}/posts`, { headers }))
    expect(inside.body).toMatchObject([{ id: 2 }, { id: 3 }])
    for (const { url } of [server, other]) expect((await fetch(`${url}/posts/1`)).status).toBe(200)
    const { paths } = Object((await json(await fetch(`${server.url}/__openapi.json`))).body)
    expect(Object.keys(paths)).toContain('/__sessions')
    expect(JSON.stringify(paths['/posts'].get.parameters)).toContain('X-Mock-Session')
  })

  it('says which database and schema it serves, and not where, or as whom', async () => {
    const source = await freshAddress()
    const { url } = await serve(source)
    const text = await (await fetch(`${url}/__service`)).text()
    const schema = /schema=(\w+)/.exec(source)?.[1]
    expect(JSON.parse(text)).toMatchObject({ data: null, database: { name: 'postgres', schema } })
    expect(text).not.toMatch(/localhost|postgres@|host=/)
  })

  it('is described only where there is something, and filled by no description', async () => {
    const source = await freshAddress()
    await expect(describeApi({ source })).rejects.toThrow('the database has no data. Import a file, or start')
    const lines: string[] = []
    await serve(source, lines)
    expect(lines[0]).toBe('The database had no data: filled it with sample data.')
    expect(await (await describeApi({ source })).types()).toContain('export interface Post ')
  })

  it('is filled from a seed that takes long to compute, and keeps this process busy', async () => {
    const seed = fileOf(
      `module.exports = () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6500)
        return { things: [{ id: 7 }] }
      }`,
      'seed.cjs',
    )
    const server = await start({ source: await freshAddress(), seed, quiet: true, port: 0 })
    servers.push(server)
    expect(await (await fetch(`${server.url}/things`)).json()).toEqual([{ id: 7 }])
  })

  it('is filled from a seed, and says which rows cannot be reached, as it does of a file', async () => {
    const folder = folderOf({ 'seed.json': '{"things":[{"id":7},{"id":7}]}' })
    const seed = join(folder, 'seed.json')
    const lines: string[] = []
    const server = await start({
      source: await freshAddress(),
      seed,
      quiet: false,
      print: (line) => lines.push(line),
    })
    servers.push(server)
    expect(await json(await fetch(`${server.url}/things`))).toEqual({
      status: 200,
      body: [{ id: 7 }, { id: 7 }],
    })
    expect(lines).toContainEqual(expect.stringContaining('"things" has more than one row with the id 7'))
    rmSync(folder, { recursive: true })
  })

  it.each([
    [
      'a server that is not there',
      'postgres://me:s3cret@127.0.0.1:1/x',
      /cannot be reached \(ECONNREFUSED\)/,
    ],
    ['an address that cannot be read', 'postgres://me:s3cret@[/x', /address of the database cannot be read/],
    [
      'a schema with a name of the system',
      'postgres://me:s3cret@localhost/x?schema=pg_temp',
      /schema "pg_temp"/,
    ],
  ])('refuses %s in one line, without its password', async (_, source, reason) => {
    const error = await start({ source }).catch((cause: unknown) => cause)
    expect(String(error)).toMatch(reason)
    expect(String(error)).not.toContain('s3cret')
    expect(String(error)).not.toContain('\n')
  })

  it.each([
    ['where ours would be', 'CREATE TABLE x.rows (a int)', 'relation "rows" already exists'],
    ['that looks like ours', 'CREATE TABLE x.state (a int)', 'column "format" does not exist'],
    [
      'of a schema half removed',
      `CREATE VIEW x.state AS SELECT 2 AS format, '' AS secret, 1 AS version`,
      'not exist',
    ],
  ])('refuses a schema with a table %s, and does not say that it was filled', async (_, table, reason) => {
    const source = await freshAddress()
    const schema = /schema=(\w+)/.exec(source)?.[1]
    await runIn(source, `CREATE SCHEMA ${schema}`, table.replace('x.', `${schema}.`))
    const lines: string[] = []
    const error = await serve(source, lines).catch((cause: unknown) => cause)
    expect(String(error)).toContain(reason)
    expect(String(error)).toContain(
      'other tables than ours, or lacks some: name another, as in ?schema=team_a.',
    )
    expect(lines).toEqual([])
  })

  it.each([
    [99, 'made by a newer version of restable (format 99'],
    [1, 'or export the data with it, and import that here with --schema NAME.'],
  ])('refuses data of another format: %i', async (format, message) => {
    const source = await freshAddress()
    const server = await serve(source)
    await server.close()
    const { default: pg } = await import('pg')
    const client = new pg.Client(source.replace(/&schema=.*/, ''))
    await client.connect()
    await client.query(`UPDATE "${/schema=(\w+)/.exec(source)?.[1]}".state SET format = ${format}`)
    await client.end()
    await expect(start({ source })).rejects.toThrow(message)
  })
})
