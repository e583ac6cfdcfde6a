import {
  constants,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/features/settings.ts'
import type { StartOptions } from '../../src/index.ts'
import { isSameData } from '../../src/source/load-parts.ts'
import { openData, reloadData } from '../../src/source/open-data.ts'
import { folderOf } from '../support/folder.ts'
import { send, serve } from '../support/http/served-files.ts'
import { json } from '../support/http/serving.ts'

const TAGS = { 'tags.json': '[{ "id": 1 }]' }
const SERVED = { tags: [{ id: 1 }] }
const SNAPSHOT = 'db-1700000000000'
const SECRET = '{ "secret": "x" }'

describe('what the settings name is no data of the folder that it is in', () => {
  type Named = (path: string) => StartOptions
  const configFile: Named = (path) => ({ configFile: { path, read: async () => ({}) } })
  const schema: Named = (path) => ({ resources: { tags: { schema: path } } })

  it.each<[string, string, string, Named]>([
    ['the config file', 'mine.json', SECRET, configFile],
    ['rewrite rules', 'rules.json', '{}', (routes) => ({ routes })],
    ['the seed', 'first.json', '{ "tags": [] }', (seed) => ({ seed })],
    ['a schema', 'tag.json', '{}', schema],
    ['a file that a schema refers to', 'label.json', '{}', (path) => schema(join(path, '..', 'all.json'))],
    [
      'a middleware file',
      'auth.js',
      'export default (req, res, next) => next()',
      (path) => ({ middlewares: [path] }),
    ],
    ['a logic file', 'mine.js', 'export default { "GET /hello": () => ({}) }', (path) => ({ logic: path })],
  ])('%s', async (_, name, text, options) => {
    const folder = folderOf({ ...TAGS, [name]: text })
    if (name === 'label.json')
      writeFileSync(join(folder, 'all.json'), '{ "properties": { "label": { "$ref": "label.json" } } }')
    const { db, lines } = await serve(folder, options(join(folder, name)))
    expect(await db()).toEqual(SERVED)
    expect(lines.join('\n')).not.toContain(name)
  })

  it('by whatever path', async () => {
    const folder = folderOf({ ...TAGS, 'mine.json': SECRET })
    const link = join(folderOf({}), 'link')
    symlinkSync(folder, link)
    for (const [source, path] of [
      [link, join(folder, 'mine.json')],
      [folder, join(link, 'mine.json')],
    ] as const) {
      expect(await (await serve(source, configFile(path))).db()).toEqual(SERVED)
    }
    symlinkSync('mine.json', join(folder, 'other.json'))
    expect(await (await serve(folder, configFile(join(folder, 'mine.json')))).db()).toEqual(SERVED)
  })

  it('of a folder that is the seed, too', async () => {
    const folder = folderOf({ ...TAGS, 'mine.json': SECRET })
    const source = join(folderOf({}), 'db.json')
    const { api, db } = await serve(source, { seed: folder, ...configFile(join(folder, 'mine.json')) })
    expect(await db()).toEqual(SERVED)
    expect(await send(api, 'POST', '/__reset')).toBe(200)
    expect(await db()).toEqual(SERVED)
  })

  it('and is refused among several files', async () => {
    const folder = folderOf({ ...TAGS, 'mine.json': SECRET })
    const path = join(folder, 'mine.json')
    await expect(serve([join(folder, 'tags.json'), path], configFile(path))).rejects.toThrow(
      `source: "${path}" is for the settings, and may hold secrets. Leave it out.`,
    )
  })

  it('snapshots', async () => {
    const folder = folderOf(TAGS)
    const { api } = await serve(folder, { snapshots: folder })
    await api.snapshot()
    expect(readdirSync(folder)).toHaveLength(2)
    expect(await send(api, 'POST', '/tags', {})).toBe(201)
    const { db, lines } = await serve(folder)
    expect(await db()).toEqual({ tags: [{ id: 1 }, { id: 2 }] })
    expect(lines).toEqual([])
  })
})

it('a logic file may be in the folder', async () => {
  const logic = "// As `define` of restable takes it.\nexport default { 'GET /hello': () => ({ hi: 1 }) }"
  const { api, lines } = await serve(folderOf({ ...TAGS, 'api.mjs': logic }))
  expect(await (await api.fetch('/hello')).json()).toEqual({ hi: 1 })
  expect(lines).toEqual([])
})

it('settings of programs are no data in a folder, and the start names them', async () => {
  const names = [
    'compose.yaml',
    'docker-compose.dev.yml',
    'package-lock.json',
    'pnpm-lock.yaml',
    'routes.json',
    'skaffold.yaml',
    'tsconfig.build.json',
  ]
  const others = Object.fromEntries([...names, '.eslintrc.json'].map((name) => [name, '{}']))
  const folder = folderOf({ ...TAGS, ...others })
  const { db, lines } = await serve(folder)
  expect(await db()).toEqual(SERVED)
  expect(lines).toEqual([
    `Not served, as settings of programs: ${names.join(', ')}. To serve one, name it as a file.`,
  ])
  const named = await serve([join(folder, 'tags.json'), join(folder, 'routes.json')])
  expect(await named.db()).toEqual({ ...SERVED, routes: {} })
})

describe('a new resource', () => {
  it.each(['routes', 'tsconfig.app', '.hidden', 'mine', 'a|b'])(
    '%s that no file of the folder could be served for is refused, unless a file holds resources by name',
    async (name) => {
      const folder = folderOf({ ...TAGS, 'mine.json': SECRET })
      const configFile = { path: join(folder, 'mine.json'), read: async () => ({}) }
      const data = { tags: [], [name]: [{ id: 1 }], users: [] }
      const snapshots = folderOf({ [`${SNAPSHOT}.json`]: JSON.stringify(data) })
      const { api } = await serve(folder, { configFile, snapshots })
      const refused = await api.fetch(`/__snapshots__/${SNAPSHOT}`, { method: 'PUT' })
      expect(await refused.json()).toMatchObject({
        message: expect.stringContaining(
          `No file holds ${name}, and one of that name would not be served. Add it to a file of collections.`,
        ),
      })
      expect(readdirSync(folder).sort()).toEqual(['mine.json', 'tags.json'])
      writeFileSync(join(folder, 'db.json'), '{ "users": [] }')
      expect(await send(api, 'POST', '/tags', {})).toBe(201)
      expect(await send(api, 'PUT', `/__snapshots__/${SNAPSHOT}`)).toBe(200)
      expect(await (await serve(folder, { configFile })).db()).toEqual(data)
    },
  )
})

describe('a snapshot that lacks a resource', () => {
  const FILES = {
    'shop.json': '{ "products": [{ "id": 1 }], "company": {} }',
    'tags.json': '[]',
    'theme.yaml': 'dark: true\n',
    'users.csv': 'id\n1\n',
  }
  const restore = async (source: string | string[]) => {
    const snapshots = folderOf({ [`${SNAPSHOT}.json`]: JSON.stringify(SERVED) })
    const { api } = await serve(source, { snapshots })
    return send(api, 'PUT', `/__snapshots__/${SNAPSHOT}`)
  }

  it('removes its file from a folder', async () => {
    const folder = folderOf(FILES)
    expect(await restore(folder)).toBe(200)
    expect(readdirSync(folder)).toEqual(['tags.json'])
    expect(await (await serve(folder)).db()).toEqual(SERVED)
  })

  it('leaves files that are named, without contents', async () => {
    const folder = folderOf(FILES)
    const paths = Object.keys(FILES).map((name) => join(folder, name))
    expect(await restore(paths)).toBe(200)
    expect(await (await serve(paths)).db()).toEqual({ ...SERVED, shop: {}, theme: {}, users: [] })
    const alone = join(folderOf(FILES), 'tags.json')
    await send((await serve(alone)).api, 'POST', '/tags', {})
    expect(await restore(alone)).toBe(200)
    expect(await (await serve(alone)).db()).toEqual(SERVED)
  })
})

it('each file keeps its own $schema', async () => {
  const one = '{\n  "$schema": "one.json",\n  "users": []\n}'
  const folder = folderOf({ 'a.json': one, 'b.json': one.replace('one', 'two').replace('users', 'posts') })
  const { api } = await serve(folder)
  for (const resource of ['users', 'posts', 'users', 'posts']) {
    expect(await send(api, 'POST', `/${resource}`, {})).toBe(201)
  }
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toContain('"one.json"')
  expect(readFileSync(join(folder, 'b.json'), 'utf8')).toContain('"two.json"')
})

describe('one file by two names', () => {
  const POSTS = { 'posts.json': '[{ "id": 1 }]', 'other.json': '[]' }
  it.each<[string, (folder: string) => string[]]>([
    ['its path written in two ways', (folder) => [`${folder}/posts.json`, `${folder}/./posts.json`]],
    ['a link', (folder) => [`${folder}/posts.json`, `${folder}/link.json`]],
  ])('is refused at the start: %s', async (_, paths) => {
    const folder = folderOf(POSTS)
    symlinkSync('posts.json', join(folder, 'link.json'))
    await expect(serve(paths(folder))).rejects.toThrow(
      /posts\.json and .+\.json are the same file\. Leave one of them out\./,
    )
  })

  it('is refused when it comes while the server runs, until one of them is gone', async () => {
    const folder = folderOf(POSTS)
    const { api, db } = await serve(folder)
    const link = join(folder, 'link.json')
    symlinkSync('posts.json', link)
    const response = await api.fetch('/posts', { method: 'POST' })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      message: expect.stringContaining('link.json and posts.json are the same file'),
    })
    rmSync(link)
    symlinkSync('other.json', link)
    expect(await send(api, 'POST', '/posts', {})).toBe(503)
    rmSync(join(folder, 'other.json'))
    writeFileSync(join(folder, 'other.json'), '[]')
    rmSync(link)
    expect(await send(api, 'POST', '/posts', {})).toBe(201)
    expect(await db()).toEqual({ posts: [{ id: 1 }, { id: 2 }], other: [] })
    expect(readFileSync(join(folder, 'other.json'), 'utf8')).toBe('[]')
  })
})

it('two servers that share files by names in another order do not wait for each other', async () => {
  const folder = folderOf({ 'y.json': '[]', 'z.json': '[]' })
  const links = folderOf({})
  symlinkSync(join(folder, 'z.json'), join(links, 'a.json'))
  symlinkSync(join(folder, 'y.json'), join(links, 'b.json'))
  const [one, other] = [await serve(folder), await serve(links)]
  const posts = Array.from({ length: 8 }, () => [
    send(one.api, 'POST', '/y', {}),
    send(other.api, 'POST', '/a', {}),
  ])
  expect(new Set(await Promise.all(posts.flat()))).toEqual(new Set([201]))
  expect(await (await serve(folder)).db()).toMatchObject({ y: { length: 8 }, z: { length: 8 } })
})

it('a file in a folder that cannot be written does not keep others from being saved', async () => {
  const [fixed, open] = [folderOf(TAGS), folderOf({ 'users.json': '[]' })]
  const { open: openFile } = promises
  promises.open = async (path, flags, ...rest) => {
    const isNew = flags === 'wx' || (Number(flags) & constants.O_CREAT) !== 0
    if (!isNew || dirname(String(path)) !== fixed) return openFile(path, flags, ...rest)
    throw Object.assign(new Error('read-only'), { code: 'EROFS', syscall: 'open' })
  }
  syncBuiltinESMExports()
  try {
    const { api } = await serve([join(fixed, 'tags.json'), join(open, 'users.json')])
    expect(await send(api, 'POST', '/users', {})).toBe(201)
    expect(await send(api, 'POST', '/tags', {})).toBe(503)
    expect(await send(api, 'POST', '/users', {})).toBe(201)
    expect(await (await api.fetch('/db')).json()).toEqual({ ...SERVED, users: [{ id: 1 }, { id: 2 }] })
  } finally {
    promises.open = openFile
    syncBuiltinESMExports()
  }
  expect([readdirSync(fixed), readdirSync(open)]).toEqual([['tags.json'], ['users.json']])
})

it('a folder that is gone is still served, and said to be gone', async () => {
  const folder = folderOf(TAGS)
  const opened = await openData(resolveConfig({ source: folder }), { log: () => {} })
  rmSync(folder, { recursive: true })
  await expect(reloadData(opened, folder)).rejects.toThrow(`${folder} is gone. Its data is still served.`)
  expect(opened.engine.database.toData()).toEqual(SERVED)
})

it('a config that names other files of the folder serves other data, one with equal sources does not', () => {
  const folder = folderOf({ ...TAGS, 'rules.json': '{}' })
  mkdirSync(join(folder, 'logs'))
  const config = (settings: object) => resolveConfig({ source: folder, ...settings })
  const routes = join(folder, 'rules.json')
  expect(isSameData(config({}), config({}))).toBe(true)
  expect(isSameData(config({}), config({ routes }))).toBe(false)
  expect(isSameData(config({}), config({ middlewares: ['cors'] }))).toBe(true)
  const several = { source: ['a.json', 'b.json'] }
  expect(isSameData(config(several), config(structuredClone(several)))).toBe(true)
})

describe('a change after which the next start would read a file as something else is refused', () => {
  const SHOP = '{ "products": [{ "id": 1 }], "company": { "name": "Acme" } }'
  const THEME = '{ "dark": true }'
  const REFUSED = 'and would now hold'

  it('when a file of collections would lose its last one', async () => {
    const folder = folderOf({ ...TAGS, 'shop.json': SHOP })
    const { api, db } = await serve(folder)
    const before = await db()
    const { products, ...rest } = JSON.parse(SHOP)
    await expect(api.db.setState({ tags: [{ id: 1 }], ...rest }).write()).rejects.toThrow(REFUSED)
    expect(readFileSync(join(folder, 'shop.json'), 'utf8')).toBe(SHOP)
    expect(await (await serve(folder)).db()).toEqual(before)
  })

  it('unless it is then gone', async () => {
    const folder = folderOf({ ...TAGS, 'shop.json': SHOP })
    const { api } = await serve(folder)
    await api.db.setState({ tags: [{ id: 1 }] }).write()
    expect(await (await serve(folder)).db()).toEqual(SERVED)
  })

  it.each(['PUT', 'PATCH'])('when %s would make lists of a single object', async (method) => {
    const folder = folderOf({ ...TAGS, 'theme.json': THEME })
    const { api, db } = await serve(folder)
    const lists = { dark: {}, sizes: [{ width: 1 }] }
    const response = await api.fetch('/theme', json(method, lists))
    expect(response.status).toBe(503)
    expect(await response.text()).toContain(REFUSED)
    expect(await send(api, method, '/theme', { ...lists, dark: false })).toBe(200)
    expect(await (await serve(folder)).db()).toEqual(await db())
  })
})
