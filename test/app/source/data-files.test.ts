import fs, {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'
import { json } from '../../support/http/serving.ts'

const USERS = 'id,name,address.city,on\r\n1,Ada,London,true\r\n2,"Grace, H.",,false\r\n'
const POSTS = '# all posts\n- id: 1 # the first\n  title: "Hello"\n  userId: 1\n'
const SHOP =
  '{\n  // what we sell\n  "products": [\n    { "id": 1, "price": 2.50 }, // cheap\n  ],\n  "company": { "name": "Acme" }\n}\n'
const EVENTS = '{"id":1,"kind":"start"}\n\n{"id": 2, "kind": "stop"}\n'
const THEME = '{\n  "dark": true,\n  "sizes": [1, 2]\n}\n'

const FILES = {
  'users.csv': USERS,
  'posts.yaml': POSTS,
  'shop.jsonc': SHOP,
  'events.ndjson': EVENTS,
  'theme.json': THEME,
}

const DATA = {
  events: [
    { id: 1, kind: 'start' },
    { id: 2, kind: 'stop' },
  ],
  posts: [{ id: 1, title: 'Hello', userId: 1 }],
  products: [{ id: 1, price: 2.5 }],
  company: { name: 'Acme' },
  theme: { dark: true, sizes: [1, 2] },
  users: [
    { id: 1, name: 'Ada', address: { city: 'London' }, on: true },
    { id: 2, name: 'Grace, H.', address: { city: null }, on: false },
  ],
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'restable-files-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function serve(source: StartOptions['source'], options: StartOptions = {}) {
  const lines: string[] = []
  const api = await open({ source, print: (line) => lines.push(line), ...options })
  onTestFinished(() => api.close())
  return { api, lines, db: async () => (await api.fetch('/db')).json() }
}

const send = async (api: OpenedServer, method: string, path: string, body?: unknown) =>
  (await api.fetch(path, body === undefined ? { method } : json(method, body))).status

describe('a folder', () => {
  it('is served file by file, and each change is saved in its file, where all else stays as it was', async () => {
    const folder = folderOf({
      ...FILES,
      'notes.txt': 'hm',
      'package.json': '{}',
      '.hidden.json': '[',
      'routes.json': '{}',
    })
    mkdirSync(join(folder, 'archive'))
    const text = (name: string) => readFileSync(join(folder, name), 'utf8')
    const { api, lines, db } = await serve(folder)
    expect(await db()).toEqual(DATA)
    expect(lines.filter((line) => line.includes('notes.txt'))).toHaveLength(1)

    expect(await send(api, 'PATCH', '/users/2', { name: 'Grace' })).toBe(200)
    expect(text('users.csv')).toBe(USERS.replace('"Grace, H."', 'Grace'))
    expect(await send(api, 'POST', '/posts', { title: 'Next', userId: 2 })).toBe(201)
    expect(text('posts.yaml')).toBe(`${POSTS}- title: Next\n  userId: 2\n  id: 2\n`)
    expect(await send(api, 'PATCH', '/products/1', { price: 3 })).toBe(200)
    expect(await send(api, 'PUT', '/company', { name: 'Best' })).toBe(200)
    expect(text('shop.jsonc')).toBe(SHOP.replace('2.50', '3').replace('Acme', 'Best'))
    expect(await send(api, 'POST', '/events', { kind: 'more' })).toBe(201)
    expect(text('events.ndjson')).toBe(`${EVENTS}{"kind":"more","id":3}\n`)
    expect(await send(api, 'DELETE', '/events/1')).toBe(200)
    expect(text('events.ndjson')).toBe('\n{"id": 2, "kind": "stop"}\n{"kind":"more","id":3}\n')
    expect(text('theme.json')).toBe(THEME)

    const saved = await db()
    const again = await serve(folder)
    expect(await again.db()).toEqual(saved)
    expect(await send(again.api, 'POST', '/__undo')).toBe(409)
  })

  it('is undone and reset as one file is', async () => {
    const folder = folderOf(FILES)
    const { api, db } = await serve(folder)
    expect(await send(api, 'POST', '/events', [{ kind: 'a' }, { kind: 'b' }])).toBe(201)
    expect(await send(api, 'POST', '/__undo')).toBe(200)
    expect(readFileSync(join(folder, 'events.ndjson'), 'utf8')).toBe(EVENTS)
    expect(await send(api, 'DELETE', '/posts/1')).toBe(200)
    expect(await send(api, 'POST', '/users', { name: 'Alan' })).toBe(201)
    expect(await send(api, 'POST', '/__reset')).toBe(200)
    expect(await db()).toEqual(DATA)
    const again = await serve(folder)
    expect(await again.db()).toEqual(DATA)
    expect(readFileSync(join(folder, 'users.csv'), 'utf8')).toBe(USERS)
  })

  it('keeps a file that came since, though a reset brings back what was before', async () => {
    const folder = folderOf(FILES)
    const { api } = await serve(folder)
    expect(await send(api, 'DELETE', '/posts/1')).toBe(200)
    writeFileSync(join(folder, 'tags.json'), '[{ "id": 1 }]')
    expect(await send(api, 'POST', '/__reset')).toBe(200)
    expect(readFileSync(join(folder, 'tags.json'), 'utf8')).toBe('[{ "id": 1 }]')
  })

  it('takes over edits, new files and removed ones before the next write, and on request', async () => {
    const folder = folderOf(FILES)
    const { api, db } = await serve(folder)
    expect(await db()).toEqual(DATA)
    writeFileSync(join(folder, 'users.csv'), USERS.replace('Ada', 'Lady Ada'))
    writeFileSync(join(folder, 'tags.json'), '[{ "id": 1 }]')
    rmSync(join(folder, 'posts.yaml'))
    expect(await send(api, 'POST', '/events', { kind: 'more' })).toBe(201)
    const { posts, ...rest } = DATA
    const users = [{ ...DATA.users[0], name: 'Lady Ada' }, DATA.users[1]]
    expect(await db()).toEqual({
      ...rest,
      users,
      tags: [{ id: 1 }],
      events: [...DATA.events, { kind: 'more', id: 3 }],
    })
    expect(existsSync(join(folder, 'posts.yaml'))).toBe(false)
  })

  it('saves a resource that a snapshot brings as a new .json, and removes one that it lacks', async () => {
    const folder = folderOf(FILES)
    const { api, db } = await serve(folder)
    await api.db.setState(structuredClone({ ...DATA, tags: [{ id: 1 }] })).write()
    expect(await send(api, 'PATCH', '/users/1', { name: 'Ada L.' })).toBe(200)
    expect(readFileSync(join(folder, 'tags.json'), 'utf8')).toBe('[\n  {\n    "id": 1\n  }\n]')
    const { theme, ...rest } = DATA
    await api.db.setState(structuredClone(rest)).write()
    expect(readdirSync(folder).sort()).toEqual(['events.ndjson', 'posts.yaml', 'shop.jsonc', 'users.csv'])
    expect(await (await serve(folder)).db()).toEqual(await db())
  })

  it('may be empty', async () => {
    const { db } = await serve(folderOf({}))
    expect(await db()).toEqual({})
  })

  it.each([
    [
      'a name twice',
      { 'users.csv': USERS, 'users.json': '[]' },
      /users\.csv and .+users\.json both hold users\. Rename/,
    ],
    [
      'a name twice, in an object',
      { 'users.csv': USERS, 'db.json': '{"users":[]}' },
      /db\.json and .+users\.csv both hold/,
    ],
    [
      'YAML that is none',
      { 'a.yaml': 'a: [1\nb: 2' },
      /^a\.yaml is not valid YAML: .+ at line \d, column \d\. Correct/,
    ],
    [
      'JSONC that is none',
      { 'a.jsonc': '{ "a": [\n 1 2 ] }' },
      /^a\.jsonc is not valid JSON with comments: .+ at line 2, column 4\./,
    ],
    [
      'JSON5 that is none',
      { 'a.json5': '{ a: [,] }' },
      /^a\.json5 is not valid JSON5: .+ at line 1, column 7\./,
    ],
    ['CSV that is none', { 'a.csv': 'id,name\n1,"open\n' }, /^a\.csv is not valid CSV: .+ at line 2\./],
    ['a column twice', { 'a.csv': 'id,id\n1,2\n' }, /^a\.csv is not usable: it has the column "id" twice/],
    [
      'NDJSON that is none',
      { 'a.ndjson': '{"id":1}\n{"id":\n{"id":3}\n' },
      /^a\.ndjson is not valid: line 2 is not JSON/,
    ],
    ['what is not UTF-8', { 'a.yaml': '\udcff' }, /UTF-8|a string/],
  ])('with %s is refused', async (_, files, message) => {
    await expect(serve(folderOf(files))).rejects.toThrow(message)
  })
})

describe('several files', () => {
  it('are served together, and new resources belong to one that holds them by name', async () => {
    const folder = folderOf(FILES)
    const { api, db } = await serve(['users.csv', 'shop.jsonc'].map((name) => join(folder, name)))
    expect(await db()).toEqual({ users: DATA.users, products: DATA.products, company: DATA.company })
    rmSync(join(folder, 'users.csv'))
    expect(await send(api, 'PATCH', '/products/1', { price: 3 })).toBe(200)
    expect(readFileSync(join(folder, 'users.csv'), 'utf8').split(/\r?\n/)).toHaveLength(4)
  })

  it('must be different ones', async () => {
    const folder = folderOf(FILES)
    symlinkSync(join(folder, 'users.csv'), join(folder, 'people.csv'))
    await expect(serve(folder)).rejects.toThrow(/people\.csv and .+users\.csv are the same file/)
  })
})

describe('one file', () => {
  it.each([
    ['products.json', '[{ "id": 1 }]', { products: [{ id: 1 }] }],
    [
      'db.yaml',
      'posts:\n  - id: 1\nprofile:\n  name: Ada\n',
      { posts: [{ id: 1 }], profile: { name: 'Ada' } },
    ],
    ['events.ndjson', '\uFEFF{"id":1}\r\n\r\n{"id":2}', { events: [{ id: 1 }, { id: 2 }] }],
    [
      'codes.csv',
      'id;code\n1;007\n2;42\n',
      {
        codes: [
          { id: 1, code: '007' },
          { id: 2, code: '42' },
        ],
      },
    ],
    ['empty.yaml', '# nothing\n', {}],
    ['empty.csv', '', { empty: [] }],
  ])('%s holds %j', async (name, text, data) => {
    const { db } = await serve(join(folderOf({ [name]: text }), name))
    expect(await db()).toEqual(data)
  })

  it.each([
    [
      'db.json5',
      "{ posts: [{ id: 1, 'title': 'a' }] }",
      /db\.json5 is served without saving changes: it has what only JSON5 has/,
    ],
    [
      'db.yaml',
      'posts:\n  - &one { id: 1, title: a }\n',
      /db\.yaml is served without saving changes: it has anchors/,
    ],
    [
      'db.yaml',
      'posts:\n  - { id: 1, title: !!str a }\n',
      /db\.yaml is served without saving changes: it has tags/,
    ],
  ])(
    '%s that nothing can write back is served from memory, and the start says so',
    async (name, text, line) => {
      const folder = folderOf({ [name]: text })
      const { api, lines, db } = await serve(join(folder, name))
      expect(lines).toContainEqual(expect.stringMatching(line))
      expect(await send(api, 'POST', '/posts', { title: 'b' })).toBe(201)
      expect(await db()).toEqual({
        posts: [
          { id: 1, title: 'a' },
          { id: 2, title: 'b' },
        ],
      })
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    },
  )

  it('with a row that a crash cut short is served without it, which is cut, and the next row takes its place', async () => {
    const folder = folderOf({})
    writeFileSync(join(folder, 'a.ndjson'), Buffer.from('{"id":1}\r\n{"id":2,"na":"ä').subarray(0, -1))
    const unsaved = await serve(join(folder, 'a.ndjson'), { persist: false })
    expect(await unsaved.db()).toEqual({ a: [{ id: 1 }] })
    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8')).toContain('"na"')
    const { api, lines } = await serve(join(folder, 'a.ndjson'))
    expect(lines).toContainEqual(expect.stringMatching(/a\.ndjson ended in the middle of a row/))
    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8')).toBe('{"id":1}\r\n')
    expect(await send(api, 'POST', '/a', { name: 'two' })).toBe(201)
    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8')).toBe('{"id":1}\r\n{"name":"two","id":2}\r\n')
  })

  it('with several rows that a crash left unfinished is served without any of them', async () => {
    const folder = folderOf({ 'a.ndjson': '{"id":1}\n\0"id":2}\n{"id":3}\n' })
    const { db } = await serve(join(folder, 'a.ndjson'))
    expect(await db()).toEqual({ a: [{ id: 1 }] })
  })

  it.each([
    ['a.yaml', `- id: 1\n  text: ${'x'.repeat(1_100_000)}\n`],
    ['a.csv', `id,text\n1,${'x'.repeat(1_100_000)}\n`],
  ])('above a megabyte is served with a remark: %s', async (name, text) => {
    const { lines } = await serve(join(folderOf({ [name]: text }), name))
    expect(lines).toContainEqual(`${name} has 1.1 MB: as plain JSON, it would be read and saved faster.`)
  })

  it('whose rows have an id of another name keeps comments in a row that is replaced', async () => {
    const text = '[\n  {\n    "sku": "a", // never change\n    "n": 1 // one\n  }\n]\n'
    const folder = folderOf({ 'a.jsonc': text })
    const { api } = await serve(join(folder, 'a.jsonc'), { id: 'sku' })
    expect(await send(api, 'PUT', '/a/a', { n: 2 })).toBe(200)
    expect(readFileSync(join(folder, 'a.jsonc'), 'utf8')).toBe(text.replace('"n": 1', '"n": 2'))
  })

  it('refuses what CSV cannot hold, and changes nothing', async () => {
    const folder = folderOf({ 'users.csv': USERS })
    const { api, db } = await serve(join(folder, 'users.csv'))
    expect(await send(api, 'PATCH', '/users/1', { 'a.b': 1 })).toBe(503)
    expect(await db()).toEqual({ users: DATA.users })
    expect(await send(api, 'PATCH', '/users/1', { name: ['x'] })).toBe(503)
  })
})

describe('a change of two files', () => {
  const TWO = { 'companies.yaml': '- id: 1 # first\n', 'products.csv': 'id,companyId\n1,1\n2,9\n' }
  const removeBoth = (api: OpenedServer) => send(api, 'DELETE', '/companies/1?_dependent=products')

  const bringTags = async ({ db }: OpenedServer) => {
    await db.setState({ companies: [], products: [{ id: 2, companyId: 9 }], tags: [{ id: 1 }] }).write()
    return 200
  }

  it.each([
    ['', removeBoth, {}],
    [', with a new file', bringTags, { tags: [{ id: 1 }] }],
  ])(
    'is finished by the next start, wherever the save was killed once it had begun to rename%s',
    async (_, change, more) => {
      const states: string[] = []
      const folder = folderOf(TWO)
      const { api } = await serve(folder)
      const names = [...Object.keys(TWO), ...Object.keys(more).map((name) => `${name}.json`)]
      // What a kill right before each of its steps would leave, with the same inodes.
      const keep = () => {
        const copy = folderOf({})
        for (const name of readdirSync(folder))
          if (!name.endsWith('.lock')) linkSync(join(folder, name), join(copy, name))
        states.push(copy)
      }
      const { renameSync } = fs
      fs.renameSync = (...args) => {
        keep()
        renameSync(...args)
        keep()
      }
      syncBuiltinESMExports()
      expect(
        await change(api).finally(() => {
          fs.renameSync = renameSync
          syncBuiltinESMExports()
        }),
      ).toBe(200)
      expect(states).toHaveLength(2 * names.length)
      for (const state of states) {
        expect(readdirSync(state)).toContainEqual(expect.stringMatching(/\.note$/))
        const { db } = await serve(state)
        expect(await db()).toEqual({ companies: [], products: [{ id: 2, companyId: 9 }], ...more })
        expect(readdirSync(state).sort()).toEqual(names)
        expect(readFileSync(join(state, 'products.csv'), 'utf8')).toBe('id,companyId\n2,9\n')
      }
      expect(readdirSync(folder).sort()).toEqual(names)
    },
  )

  it('changes neither when one cannot be replaced', async () => {
    const folder = folderOf(TWO)
    const { api, db } = await serve(folder)
    const { renameSync } = fs
    fs.renameSync = (from, to) => {
      if (String(to).endsWith('products.csv')) throw Object.assign(new Error('disk'), { code: 'EIO' })
      renameSync(from, to)
    }
    syncBuiltinESMExports()
    const status = await removeBoth(api)
    fs.renameSync = renameSync
    syncBuiltinESMExports()
    expect(status).toBe(503)
    for (const [name, text] of Object.entries(TWO))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    expect(await db()).toEqual({
      companies: [{ id: 1 }],
      products: [
        { id: 1, companyId: 1 },
        { id: 2, companyId: 9 },
      ],
    })
    expect(readdirSync(folder).sort()).toEqual(['companies.yaml', 'products.csv'])
    expect(await removeBoth(api)).toBe(200)
  })

  it('keeps what another program writes into one of them meanwhile', async () => {
    const folder = folderOf(TWO)
    const { api, db } = await serve(folder)
    const { existsSync: look } = fs
    let isEdited = false
    // Looked up right before the renames.
    fs.existsSync = (path) => {
      if (!isEdited && String(path).includes('products.csv')) {
        isEdited = true
        writeFileSync(join(folder, 'products.csv'), 'id,companyId\n1,1\n2,9\n3,9\n')
      }
      return look(path)
    }
    syncBuiltinESMExports()
    const status = await removeBoth(api)
    fs.existsSync = look
    syncBuiltinESMExports()
    expect(status).toBe(200)
    const left = {
      companies: [],
      products: [
        { id: 2, companyId: 9 },
        { id: 3, companyId: 9 },
      ],
    }
    expect(await db()).toEqual(left)
    expect(await (await serve(folder)).db()).toEqual(left)
  })

  it('is never lost where two servers share the folder', async () => {
    const folder = folderOf(TWO)
    const servers = await Promise.all([serve(folder), serve(folder)])
    const posts = Array.from({ length: 20 }, (_, at) =>
      send(servers[at % 2]?.api as OpenedServer, 'POST', at % 3 === 0 ? '/companies' : '/products', {
        companyId: 1,
      }),
    )
    expect(new Set(await Promise.all(posts))).toEqual(new Set([201]))
    const { companies, products } = Object(await (await serve(folder)).db())
    expect([companies.length, products.length]).toEqual([1 + 7, 2 + 13])
    expect(new Set(products.map(({ id }: { id: unknown }) => id)).size).toBe(15)
  })
})
