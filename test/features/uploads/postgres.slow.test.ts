import { existsSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningServer, type StartOptions, start } from '../../../src/index.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { fileIn, formOf, rowIn } from './forms.ts'

describe.skipIf(!hasPostgres)(
  `files in PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 30_000 },
  () => {
    let source: string
    const ends: (() => Promise<unknown>)[] = []
    beforeEach(async () => {
      source = await freshAddress()
    })
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

    async function serve(options: StartOptions = {}): Promise<RunningServer> {
      const server = await start({
        source,
        uploads: { dir: 'not-made', maxBytes: 5_000_000 },
        port: 0,
        ...options,
      })
      ends.push(() => server.close())
      return server
    }

    async function query(text: string): Promise<readonly Record<string, unknown>[]> {
      const schema = new URL(source).searchParams.get('schema') ?? 'restable'
      const client = new pg.Client(source.replace(/&schema=.*/, ''))
      await client.connect()
      try {
        await client.query(`SET search_path TO "${schema}"`)
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    }

    const content = Buffer.alloc(700_000, 'content ')
    const upload = async (server: RunningServer, path = '/posts', method = 'POST') =>
      rowIn(await fetch(server.url + path, { method, body: formOf(['f', [content, 'f.txt']]) }))

    it('are there on every server, and in parts, as soon as their row is', async () => {
      const [one, other] = [await serve(), await serve()]
      const row = await upload(one)
      const { url } = fileIn((await rowIn(await fetch(`${other.url}/posts/${row.id}`))).f)
      expect(url.startsWith(other.url)).toBe(true)
      expect(content.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true)
      const part = await fetch(url, { headers: { range: 'bytes=262140-262150' } })
      expect([part.status, await part.text()]).toEqual([206, content.subarray(262_140, 262_151).toString()])
      await upload(other)
      expect(await query('SELECT size::int, is_kept FROM files')).toEqual([{ size: 700_000, is_kept: true }])
      expect(existsSync('not-made')).toBe(false)
    })

    it('are not there if the form is refused, or the row', async () => {
      const schema = { type: 'object', required: ['name'] }
      const server = await serve({ resources: { posts: { schema } } })
      const refused = await fetch(`${server.url}/posts`, {
        method: 'POST',
        body: formOf(['f', [content, 'f.txt']]),
      })
      expect(refused.status).toBe(422)
      const large = formOf(['f', [Buffer.alloc(6_000_000), 'f.txt']])
      expect((await fetch(`${server.url}/posts`, { method: 'POST', body: large })).status).toBe(413)
      expect(await query('SELECT * FROM files')).toEqual([])
      expect(await query('SELECT 1 FROM pieces')).toEqual([])
    })

    it('of a killed server are finished if a row names them, and removed otherwise', async () => {
      const server = await serve()
      const { id } = await upload(server)
      await server.close()
      await query("UPDATE files SET is_kept = false, server = 'gone'")
      await query("INSERT INTO files (file, server, hash) VALUES ('a', 'gone', 'b'), ('c', 'gone', NULL)")
      const again = await serve()
      expect(await query('SELECT is_kept FROM files')).toEqual([{ is_kept: true }])
      const { url } = fileIn((await rowIn(await fetch(`${again.url}/posts/${id}`))).f)
      expect((await fetch(url)).status).toBe(200)
    })

    it('go once no row and no history names them, and only while one server runs alone', async () => {
      const [one, other] = [await serve(), await serve()]
      const { id, f } = await upload(one)
      await fetch(`${one.url}/posts/${id}`, { method: 'DELETE' })
      await fetch(`${one.url}/__undo`, { method: 'POST' })
      expect((await fetch(fileIn(f).url)).status).toBe(200)
      await fetch(`${one.url}/__reset`, { method: 'POST' })
      await one.close()
      await other.close()
      expect(await query('SELECT is_left FROM files')).toEqual([{ is_left: true }])
      await serve()
      expect(await query('SELECT * FROM files')).toEqual([])
    })
  },
)
