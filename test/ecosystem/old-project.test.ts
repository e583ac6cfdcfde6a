import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { start } from '../../src/index.ts'
import { Commands } from '../support/child/commands.ts'
import { folderOf } from '../support/folder.ts'
import { json } from '../support/http/serving.ts'

// Real processes on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 })

const DATA = {
  posts: [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
  ],
  comments: [{ id: 1, postId: 1 }],
  profile: { name: 'me' },
}

/** A middleware as people wrote them for json-server and Express 4. */
const AUTH = `
  module.exports = (req, res, next) => {
    if (req.path === '/forbidden') return res.sendStatus(403)
    if (req.headers.authorization !== 'secret') return res.status(401).jsonp({ error: 'unauthorized' })
    if (req.method === 'POST') req.body.createdAt = 123
    if (req.query.mine) {
      delete req.query.mine
      req.query.title = 'b'
    }
    res.header('X-Hello', 'World')
    req.app.db.get('profile').assign({ visited: true }).value()
    next()
  }
`

const commands = new Commands()
afterAll(() => commands.end())

let folder: string
beforeEach(async () => {
  folder = folderOf()
  await write('db.json', JSON.stringify(DATA))
})
afterEach(() => commands.stop())

async function write(file: string, text: string): Promise<void> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const saved = async () => JSON.parse(await readFile(join(folder, 'db.json'), 'utf8'))

/** A command of a package.json's scripts, without the name in front. */
async function run(command: string, env?: Readonly<Record<string, string>>): Promise<string> {
  return (await commands.serve(command.split(' '), folder, env)).url
}

const get = async (url: string, init?: RequestInit) => (await fetch(url, init)).json()

describe('an old project', () => {
  it('runs with its middleware and its routes', async () => {
    await write('auth.js', AUTH)
    await write(
      'routes.json',
      '{ "/api/*": "/$1", "/:resource/:id/show": "/:resource/:id", "/articles\\\\?id=:id": "/posts/:id" }',
    )
    const base = await run('--watch db.json --port 0 -m auth.js -r routes.json')
    const headers = { authorization: 'secret' }

    const refused = await fetch(`${base}/posts`)
    expect([refused.status, await refused.json()]).toEqual([401, { error: 'unauthorized' }])
    expect((await fetch(`${base}/forbidden`)).status).toBe(403)
    const listed = await fetch(`${base}/api/posts?mine=1`, { headers })
    expect([listed.headers.get('x-hello'), await listed.json()]).toEqual(['World', [{ id: 2, title: 'b' }]])
    expect(await get(`${base}/posts/1/show`, { headers })).toEqual({ id: 1, title: 'a' })
    expect(await get(`${base}/articles?id=2`, { headers })).toEqual({ id: 2, title: 'b' })
    expect(Object.keys(Object(await get(`${base}/__rules`, { headers })))).toHaveLength(3)
    const { headers: type, ...post } = json('POST', { title: 'c' })
    const made = await get(`${base}/posts`, { ...post, headers: { ...headers, ...Object(type) } })
    expect(made).toEqual({ title: 'c', createdAt: 123, id: 3 })
    expect((await saved()).posts).toHaveLength(3)
    expect(await get(`${base}/profile`, { headers })).toEqual({ name: 'me', visited: true })
  })

  it.each([
    [
      'an array',
      'module.exports = [(req, res, next) => { res.set("X-A", "1"); next() }, (req, res, next) => { res.set("X-B", "2"); next() }]',
    ],
    [
      'an Express router',
      'const { Router } = require(process.env.EXPRESS); module.exports = Router().all("*", (req, res, next) => { res.set({ "X-A": "1", "X-B": "2" }); next() })',
    ],
    [
      'what a compiler made of an ES module',
      'exports.__esModule = true; exports.default = (req, res, next) => { res.set({ "X-A": "1", "X-B": "2" }); next() }',
    ],
  ])('may have a middleware that exports %s', async (_, source) => {
    await write('middleware.js', source)
    const EXPRESS = join(process.cwd(), 'node_modules/express')
    const base = await run('db.json -p 0 -m middleware.js', { EXPRESS })
    const { headers } = await fetch(`${base}/posts`)
    expect([headers.get('x-a'), headers.get('x-b')]).toEqual(['1', '2'])
  })

  it.each(['--read-only', '--ro'])('may be read only, by %s', async (flag) => {
    const base = await run(`db.json -p 0 ${flag}`)
    const statuses = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map(
      async (method) => (await fetch(`${base}/posts/1`, { method })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 204, 403, 403, 403, 403])
    expect(await saved()).toEqual(DATA)
  })

  it.each(['--delay 300', '-d 300'])('may answer late, by %s', async (flag) => {
    const base = await run(`db.json -p 0 ${flag}`)
    const before = performance.now()
    await fetch(`${base}/posts`)
    expect(performance.now() - before).toBeGreaterThanOrEqual(299)
  })

  it.each(['--id _id --foreignKeySuffix _key', '-i _id --fks _key'])(
    'may name its keys, by %s',
    async (flags) => {
      await write('db.json', '{"posts":[{"_id":"x"}],"comments":[{"_id":1,"post_key":"x"}]}')
      const base = await run(`db.json -p 0 ${flags}`)
      expect(await get(`${base}/posts/x?_embed=comments`)).toEqual({
        _id: 'x',
        comments: [{ _id: 1, post_key: 'x' }],
      })
    },
  )

  it.each([
    ['./public', 'public', 'db.json -p 0'],
    ['--static', 'site', 'db.json -p 0 --static site'],
    ['-s', 'site', 'db.json -p 0 -s ./site'],
  ])('may bring files of its own in %s, and the API stays', async (_, name, command) => {
    await write(`${name}/hello.txt`, 'hello')
    await write(`${name}/index.html`, '<p>mine</p>')
    const base = await run(command)
    expect(await (await fetch(`${base}/hello.txt`)).text()).toBe('hello')
    expect(await (await fetch(base)).text()).toBe('<p>mine</p>')
    expect(await get(`${base}/posts/1`)).toEqual({ id: 1, title: 'a' })
    expect((await fetch(`${base}/../db.json`)).status).toBe(404)
  })

  it('may bring files in several folders, of which the first that has one wins', async () => {
    await write('site/hello.txt', 'hello')
    await write('dist/hello.txt', 'hidden')
    await write('dist/index.html', '<p>mine</p>')
    const base = await run('db.json -p 0 -s site -s ./dist')
    expect(await (await fetch(`${base}/hello.txt`)).text()).toBe('hello')
    expect(await (await fetch(base)).text()).toBe('<p>mine</p>')
    expect(await get(`${base}/posts/1`)).toEqual({ id: 1, title: 'a' })
  })

  it.each([
    ['data.js', 'module.exports = { posts: [{ id: 7 }] }'],
    ['data.js', 'module.exports = () => ({ posts: [{ id: 7 }] })'],
    ['data.cjs', 'module.exports = async () => ({ posts: [{ id: 7 }] })'],
    ['data.mjs', 'export default () => ({ posts: [{ id: 7 }] })'],
  ])('may compute its data in %s', async (file, source) => {
    await write(file, source)
    const base = await run(`${file} -p 0`)
    expect(await get(`${base}/posts`)).toEqual([{ id: 7 }])
    expect(await get(`${base}/posts`, json('POST', {}))).toEqual({ id: 8 })
    expect(await readFile(join(folder, file), 'utf8')).toBe(source)
  })

  it('may fetch its data from another server', async () => {
    const other = await start({ data: structuredClone(DATA) })
    try {
      const base = await run(`${other.url}/db -p 0`)
      expect(await get(`${base}/posts`)).toEqual(DATA.posts)
      expect((await fetch(`${base}/posts`, json('POST', {}))).status).toBe(201)
      expect(await get(`${other.url}/posts`)).toHaveLength(2)
    } finally {
      await other.close()
    }
  })

  it('gets a file with a sample when it has none', async () => {
    const base = await run('new.json -p 0')
    const sample = JSON.parse(await readFile(join(folder, 'new.json'), 'utf8'))
    expect(await get(`${base}/db`)).toEqual(sample)
    expect(Object.keys(sample).length).toBeGreaterThan(0)
  })

  it('keeps the order of keys, the types of ids and two spaces in its file', async () => {
    const text = JSON.stringify({ b: [{ z: 1, id: '1', a: 2 }], a: { y: 1, x: 2 } }, null, 2)
    await write('db.json', text)
    const base = await run('db.json -p 0')
    await fetch(`${base}/b/1`, json('PATCH', { a: 3 }))
    expect(await readFile(join(folder, 'db.json'), 'utf8')).toBe(text.replace('"a": 2', '"a": 3'))
  })
})
