import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConfigError, ListenError, StorageError } from '../../src/core/kernel/catalogue/error-classes.ts'
import type { StartOptions } from '../../src/features/start-options.ts'
import { open } from '../../src/serve/open.ts'
import { type RunningServer, start } from '../../src/serve/start.ts'
import { catchConsole } from '../support/console.ts'
import { folderOf } from '../support/folder.ts'

let folder: string
let servers: RunningServer[]

beforeEach(() => {
  folder = folderOf()
  servers = []
})

afterEach(() => Promise.all(servers.map((server) => server.close())))

async function started(options?: StartOptions): Promise<RunningServer> {
  const server = await start(options)
  servers.push(server)
  return server
}

async function written(name: string, content: unknown): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const get = async ({ url }: RunningServer, path: string) => (await fetch(url + path)).json()
const post = ({ url }: RunningServer, path: string, body: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('start', () => {
  it('serves an object from memory, live, on a free port', async () => {
    const data: { posts: object[] } = { posts: [{ id: 1 }] }
    const server = await started({ data })
    expect(server.url).toBe(`http://localhost:${server.port}`)
    expect((await post(server, '/posts', { title: 'a' })).status).toBe(201)
    expect(data.posts).toHaveLength(2)
    data.posts.push({ id: 7 })
    expect(await get(server, '/posts/7')).toEqual({ id: 7 })
    expect(server.db.get('posts').size().value()).toBe(3)
    expect(server.resources).toEqual(['posts'])
  })

  it('serves a file and saves to it', async () => {
    const source = await written('db.json', { posts: [] })
    const server = await started({ source })
    await post(server, '/posts', { title: 'a' })
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual({ posts: [{ title: 'a', id: 1 }] })
  })

  it('runs several servers in one process, each with its own data', async () => {
    const all = await Promise.all([1, 2, 3].map((id) => started({ data: { posts: [{ id }] } })))
    expect(await Promise.all(all.map((server) => get(server, '/posts')))).toEqual([
      [{ id: 1 }],
      [{ id: 2 }],
      [{ id: 3 }],
    ])
  })

  it('prints nothing unless asked', async () => {
    const written = catchConsole('log', 'error')
    const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'))
    const source = join(folder, 'new.json')
    const server = await started({ source, middlewares: ['logger', 'jwt'], watch: true })
    await get(server, '/products')
    const calls = spies.map((spy) => spy.mock.calls.length)
    for (const spy of spies) spy.mockRestore()
    expect([written, calls]).toEqual([[], [0, 0]])
  })

  it('reports a failure to `printError`, and to nobody else', async () => {
    const faulty = join(folder, 'faulty.cjs')
    await writeFile(faulty, 'module.exports = () => { throw new Error("broken on purpose") }')
    const written = catchConsole('error')
    const lines: string[] = []
    const silent = await start({ data: { posts: [] }, middlewares: [faulty] })
    const heard = await start({
      data: { posts: [] },
      middlewares: [faulty],
      print: (line) => lines.push(line),
    })
    for (const { url } of [silent, heard]) expect((await fetch(`${url}/posts`)).status).toBe(500)
    expect(lines.join('\n')).toContain('broken on purpose')
    expect(written).toEqual([])
    await Promise.all([silent.close(), heard.close()])
  })

  it('prints to `print`, and nothing when quiet', async () => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    await started({ source: join(folder, 'one.json'), print })
    expect(lines).toEqual([expect.stringContaining('one.json did not exist: created it with sample data.')])
    const { url } = await started({ source: join(folder, 'two.json'), print, quiet: true })
    await expect(fetch(url.replace('http:', 'https:'))).rejects.toThrow()
    expect(lines).toHaveLength(1)
  })

  it.each([
    ['as json-server names them', {}],
    ['with --id _id', { id: '_id' }],
    ['with --fks _id', { foreignKeySuffix: '_id' }],
    ['with both', { id: '_id', foreignKeySuffix: '_id' }],
  ])('creates a missing file with related rows, %s', async (_, settings) => {
    const server = await started({ source: join(folder, 'db.json'), ...settings })
    const comments = await get(server, '/posts/1/comments')
    expect(comments).toHaveLength(2)
    expect(await get(server, '/posts/1?_embed=comments')).toMatchObject({ comments })
    expect(await get(server, '/comments/3?_expand=post')).toMatchObject({
      post: await get(server, '/posts/2'),
    })
    expect(await get(server, '/profile')).toEqual({ name: 'Ada' })
  })

  it.each([
    ['the usual log', {}],
    ['the logger layer', { middlewares: ['logger'] }],
  ])('prints %s to the given printer, and nowhere else', async (_, settings) => {
    vi.stubEnv('NODE_ENV', 'development')
    const written = catchConsole('log')
    const lines: string[] = []
    const server = await started({ data: { posts: [] }, print: (line) => lines.push(line), ...settings })
    vi.unstubAllEnvs()
    await get(server, '/posts')
    await vi.waitFor(() => expect(lines.join('\n')).toContain('GET /posts'))
    expect(written).toEqual([])
  })

  it('saves pending writes of its db before closing', async () => {
    const source = await written('db.json', { posts: [] })
    const server = await started({ source })
    void server.db.get('posts').insert({ title: 'late' }).write()
    await server.close()
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual({ posts: [{ title: 'late', id: 1 }] })
  })

  it('exposes its rules, and the data to middlewares at req.app.db', async () => {
    const routes = await written('routes.json', { '/api/*': '/$1' })
    const peek = await written(
      'peek.cjs',
      'module.exports = (req, res) => res.json(req.app.db.get("posts").value())',
    )
    const server = await started({ data: { posts: [{ id: 1 }] }, routes, middlewares: [peek] })
    expect(server.rules).toEqual({ '/api/*': '/$1' })
    expect(await get(server, '/api/anything')).toEqual([{ id: 1 }])
  })

  it('saves snapshots to the given folder, and says how to set one', async () => {
    const off = await started({ data: {} })
    await expect(off.snapshot()).rejects.toThrow('Snapshots are off. Name a folder: --snapshots snapshots')
    const server = await started({ data: { posts: [] }, snapshots: join(folder, 'kept') })
    await server.snapshot()
    const [file = ''] = await readdir(join(folder, 'kept'))
    expect(JSON.parse(await readFile(join(folder, 'kept', file), 'utf8'))).toEqual({ posts: [] })
  })

  it.each<[string, () => Promise<object>, new (...args: never[]) => Error, RegExp]>([
    ['nothing to serve', async () => ({}), ConfigError, /^source: nothing to serve/],
    ['data that is none', async () => ({ data: [] }), StorageError, /^data holds an array/],
    [
      'a broken file',
      async () => ({ source: await written('x.json', '{') }),
      StorageError,
      /x\.json is not valid/,
    ],
    ['an unknown setting', async () => ({ data: {}, prot: 1 }), ConfigError, /prot/],
    [
      'rules that are none',
      async () => ({ data: {}, routes: await written('r.json', '[]') }),
      ConfigError,
      /r\.json: Rewrite rules must be one object/,
    ],
    [
      'a missing middleware',
      async () => ({ data: {}, middlewares: ['no.js'] }),
      ConfigError,
      /no file "no\.js"/,
    ],
  ])('refuses %s, watching or not', async (_, options, kind, message) => {
    for (const watch of [false, true]) {
      const error = await start({ ...(await options()), watch }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(kind)
      expect((error as Error).message).toMatch(message)
    }
  })

  it.each([['db.json'], [['db.json']], [3000], [null]])(
    'says what it takes, if it is called with %j',
    async (argument) => {
      const message = "start and open take an object of settings. For example: start({ source: 'db.json' })"
      for (const call of [start, open])
        await expect(Reflect.apply(call, undefined, [argument])).rejects.toThrow(new ConfigError(message))
    },
  )

  it('refuses a taken port, and frees its own when closed, even twice', async () => {
    const first = await started({ data: {} })
    const { port } = first
    await expect(start({ data: {}, port })).rejects.toBeInstanceOf(ListenError)
    await Promise.all([first.close(), first.close()])
    expect((await started({ data: {}, port })).port).toBe(port)
  })
})
