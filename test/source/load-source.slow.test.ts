import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOf } from '../support/folder.ts'
import { builtModule } from '../support/package/built-module.ts'

const { loadSource } = builtModule<typeof import('../../src/source/load-source.ts')>('source/load-source.js')
const { ConfigError, StorageError } = builtModule<
  typeof import('../../src/core/kernel/catalogue/error-classes.ts')
>('core/kernel/catalogue/error-classes.js')

let folder: string
let server: Server
let origin: string

const PAGES: Record<string, RequestListener> = {
  '/db.json': (_req, res) => res.end('{ "posts": [{ "id": 1 }] }'),
  '/broken.json': (_req, res) => res.end('{ "posts": '),
  '/list.json': (_req, res) => res.end('[]'),
  '/gone.json': (_req, res) => res.writeHead(410).end(),
  '/moved.json': (_req, res) => res.writeHead(302, { location: '/db.json' }).end(),
  '/silent.json': () => {},
  '/private.json': (req, res) => {
    const isKnown = req.headers.authorization === `Basic ${Buffer.from('ada:p@ss').toString('base64')}`
    res.writeHead(isKnown ? 200 : 401).end('{ "posts": [] }')
  },
}

beforeAll(async () => {
  folder = folderOf()
  server = createServer((req, res) => PAGES[new URL(req.url ?? '', 'http://x').pathname]?.(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

async function faultOf(promise: Promise<unknown>, kind: new (...args: never[]) => Error = ConfigError) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(kind)
  const { message } = error as Error
  expect(message).not.toContain('\n')
  return message
}

it('does not wait forever for a function that makes the data', async () => {
  const path = await written('never.cjs', 'module.exports = () => new Promise(() => {})')
  expect(await faultOf(loadSource(path, { patienceMs: 50 }))).toMatch(
    /exports did not finish in 0\.05 s\. Check that its promise resolves\.$/,
  )
})

describe('a .json source', () => {
  it('is a file to read and write', async () => {
    const path = await written('there.json', '{}')
    expect(await loadSource(path)).toEqual({ kind: 'files', files: expect.anything() })
    expect(await readFile(path, 'utf8')).toBe('{}')
  })

  it.each([
    ['by default', undefined, 'postId'],
    ['with another suffix', { id: 'id', foreignKeySuffix: '_id' }, 'post_id'],
    ['with another id', { id: '_id', foreignKeySuffix: 'Id' }, 'postId'],
    ['with both', { id: 'key', foreignKeySuffix: 'Key' }, 'postKey'],
  ])(
    'is created with posts, comments and a profile where it is missing, %s',
    async (title, naming, field) => {
      const path = join(folder, `new ${title}.json`)
      const options = naming === undefined ? {} : { naming }
      expect(await loadSource(path, options)).toMatchObject({ kind: 'files', created: 'with sample data' })
      const data: Record<string, Record<string, unknown>[]> = JSON.parse(await readFile(path, 'utf8'))
      expect(Object.keys(data)).toEqual(['posts', 'comments', 'profile'])
      const ids = data.posts?.map((post) => post[naming?.id ?? 'id'])
      expect(data.comments?.every((comment) => ids?.includes(comment[field]))).toBe(true)
      expect(await loadSource(path)).not.toHaveProperty('created')
    },
  )

  it('cannot be a dangling link', async () => {
    const path = join(folder, 'dangling.json')
    await symlink(join(folder, 'nowhere.json'), path)
    expect(await faultOf(loadSource(path))).toMatch(
      /dangling\.json" is a link to a file that does not exist\. Check the path\.$/,
    )
  })

  it('cannot be a folder, nor be created in one that does not exist', async () => {
    expect(await faultOf(loadSource(`${folder}/no/such.json`))).toMatch(
      /does not exist and cannot be created \(its folder does not exist\)\. Check the path\.$/,
    )
    await mkdir(join(folder, 'dir.json'))
    expect(await faultOf(loadSource(join(folder, 'dir.json')))).toMatch(
      /is a folder\. Name a file in it, such as .+db\.json\.$/,
    )
  })
})

describe('a JavaScript source', () => {
  it.each([
    ['function.cjs', 'module.exports = () => ({ posts: [{ id: 1 }] })'],
    ['object.cjs', 'module.exports = { posts: [{ id: 1 }] }'],
    ['plain.js', 'module.exports = () => ({ posts: [{ id: 1 }] })'],
    ['async.mjs', 'export default async () => ({ posts: [{ id: 1 }] })'],
    ['object.mjs', 'export default { posts: [{ id: 1 }] }'],
    ['named.mjs', 'export const posts = [{ id: 1 }]'],
  ])('%s gives its data', async (name, text) => {
    const file = await written(name, text)
    const loaded = await loadSource(file)
    expect(loaded).toEqual({ kind: 'memory', isOurs: false, data: { posts: [{ id: 1 }] } })
    if (loaded.kind === 'memory') loaded.data.added = []
  })

  it('has null for numbers that JSON lacks, as every client sees it, without changing its own data', async () => {
    const file = await written(
      'numbers.cjs',
      'const posts = Object.freeze([{ id: 1, n: 1 / 0 }, { id: 2, n: [0 / 0] }]); module.exports = { posts }',
    )
    expect(await loadSource(file)).toMatchObject({
      data: {
        posts: [
          { id: 1, n: null },
          { id: 2, n: [null] },
        ],
      },
    })
  })

  it('may have a collection called default', async () => {
    const file = await written('default.cjs', 'module.exports = { default: [{ id: 1 }] }')
    expect(await loadSource(file)).toMatchObject({ data: { default: [{ id: 1 }] } })
  })

  it('is reloaded under a new version', async () => {
    const file = await written('again.cjs', 'module.exports = { a: [] }')
    await loadSource(file)
    await written('again.cjs', 'module.exports = { b: [] }')
    expect(await loadSource(file, { version: 1 })).toMatchObject({ data: { b: [] } })
  })

  it.each([
    [
      'fails.cjs',
      'module.exports = () => { throw new Error("no seed\\nhere") }',
      /the function that ".+" exports failed \(.*fails\.cjs, line 1\): no seed$/,
    ],
    [
      'throws.cjs',
      'throw new Error("at load")',
      /cannot be loaded \(.*throws\.cjs, line 1\): Error: at load$/,
    ],
  ])('%s fails in one line', async (name, text, expected) => {
    expect(await faultOf(loadSource(await written(name, text)))).toMatch(expected)
  })

  it('must contain collections, and exist', async () => {
    const file = await written('number.cjs', 'module.exports = () => 7')
    expect(await faultOf(loadSource(file), StorageError)).toContain('number.cjs')
    expect(await faultOf(loadSource('nowhere.js'))).toBe(
      'source: there is no file "nowhere.js". Check the path.',
    )
  })
})

describe('an http source', () => {
  it.each(['/db.json', '/moved.json'])('at %s is fetched', async (path) => {
    expect(await loadSource(origin + path)).toEqual({
      kind: 'memory',
      isOurs: true,
      data: { posts: [{ id: 1 }] },
    })
  })

  it('may need a password, which no message shows', async () => {
    const address = origin.replace('//', '//ada:p%40ss@')
    expect(await loadSource(`${address}/private.json`)).toMatchObject({ data: { posts: [] } })
    expect(await faultOf(loadSource(`${address}/gone.json?token=hidden`))).toBe(
      `source: ${origin}/gone.json answered 410. Open it in a browser and check it.`,
    )
  })

  it.each(['/broken.json', '/list.json'])('at %s has to hold a database', async (path) => {
    expect(await faultOf(loadSource(origin + path), StorageError)).toContain(origin + path)
  })

  it('that never responds is given up', async () => {
    expect(await faultOf(loadSource(`${origin}/silent.json`, { patienceMs: 50 }))).toBe(
      `source: ${origin}/silent.json did not answer within 0.05 seconds.`,
    )
  })

  it('that cannot be reached is named', async () => {
    expect(await faultOf(loadSource('http://127.0.0.1:1/db.json'))).toMatch(
      /^source: http:\/\/127\.0\.0\.1:1\/db\.json cannot be reached \(.+\)\. Check the URL\.$/,
    )
    expect(await faultOf(loadSource('http://'))).toMatch(/not a valid http\(s\) URL/)
  })
})

it.each([
  ['db.txt', /is not a data file \(\.json .+ Name one of these\.$/],
  ['db', /^There is no command or file "db"\. Name what to serve/],
  ['ftp://example.com/db', /^source: a URL must start with http:\/\/, https:\/\/ or postgres:\/\//],
  [
    'htp://me:secret@example.com/db.json',
    /^source: a URL must start with http:\/\/, https:\/\/ or postgres:\/\/\. Correct or add that\.$/,
  ],
])('refuses %s as a source', async (source, fault) => {
  expect(await faultOf(loadSource(source))).toMatch(fault)
})
