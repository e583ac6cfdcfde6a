import fs, {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OpenedServer } from '../../src/index.ts'
import { DataFiles } from '../../src/stores/file/data-files.ts'
import { ChangedOutside } from '../../src/stores/file/file-store.ts'
import { folderOf } from '../support/folder.ts'
import { send, serve } from '../support/http/served-files.ts'
import { json } from '../support/http/serving.ts'

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

describe('while a server runs', () => {
  const ROWS = { 'posts.csv': 'id,title\n1,a\n', 'posts.ndjson': '{"id":1,"title":"a"}\n' }

  it.each(Object.entries(ROWS))(
    'an empty %s is waited for, as a program may just be writing it',
    async (name, rows) => {
      const folder = folderOf({ [name]: rows })
      const path = join(folder, name)
      const { api, db } = await serve(folder)
      writeFileSync(path, '')
      const posted = send(api, 'POST', '/posts', { title: 'new' })
      await sleep(25)
      writeFileSync(path, rows.replace('a', 'edited'))
      expect(await posted).toBe(201)
      const posts = [
        { id: 1, title: 'edited' },
        { id: 2, title: 'new' },
      ]
      expect(await db()).toEqual({ posts })
      expect(await (await serve(folder)).db()).toEqual({ posts })
      writeFileSync(path, '')
      expect(await send(api, 'POST', '/posts', { title: 'first' })).toBe(201)
      expect(await db()).toEqual({ posts: [{ id: 1, title: 'first' }] })
    },
  )

  it.each([
    ['posts.csv', 'id,title\n1,a\n'],
    ['posts.yaml', '- id: 1\n  title: a\n'],
  ])('half of a %s that still goes on is waited for', async (name, rows) => {
    const folder = folderOf({ [name]: rows })
    const path = join(folder, name)
    const { api, db } = await serve(folder)
    const edited = rows.replace('a', 'edited')
    writeFileSync(path, edited.slice(0, -4))
    const posted = send(api, 'POST', '/posts', { title: 'new' })
    await sleep(25)
    writeFileSync(path, edited)
    expect(await posted).toBe(201)
    const first = { id: 1, title: 'edited' }
    expect(await db()).toEqual({ posts: [first, { id: 2, title: 'new' }] })
    writeFileSync(path, edited.trimEnd())
    expect(await send(api, 'POST', '/posts', { title: 'last' })).toBe(201)
    expect(await db()).toEqual({ posts: [first, { id: 2, title: 'last' }] })
  })

  it('a row that fits a CSV file is appended to it, and a new field fills all lines', async () => {
    const folder = folderOf({ 'posts.csv': 'id,title\n1,a\n' })
    const path = join(folder, 'posts.csv')
    const { api } = await serve(folder)
    const { ino } = statSync(path)
    expect(await send(api, 'POST', '/posts', { title: 'b, c' })).toBe(201)
    expect(await send(api, 'POST', '/posts', {})).toBe(201)
    expect(readFileSync(path, 'utf8')).toBe('id,title\n1,a\n2,"b, c"\n3,\n')
    expect(statSync(path).ino, 'the same file').toBe(ino)
    expect(await send(api, 'POST', '/posts', { title: 'd', more: 1 })).toBe(201)
    expect(readFileSync(path, 'utf8')).toBe('id,title,more\n1,a,\n2,"b, c",\n3,,\n4,d,1\n')
    expect(await send(api, 'POST', '/posts', { title: 'e', more: 2 })).toBe(201)
    expect(await send(api, 'DELETE', '/posts/1')).toBe(200)
    expect(readFileSync(path, 'utf8')).toBe('id,title,more\n2,"b, c",\n3,,\n4,d,1\n5,e,2\n')
  })

  it('rows of a CSV file that a crash cut short are left out, and cut off', async () => {
    const folder = folderOf({ 'posts.csv': 'id,title\n1,a\n\0,b' })
    const { api, db } = await serve(folder)
    expect(await db()).toEqual({ posts: [{ id: 1, title: 'a' }] })
    expect(await send(api, 'POST', '/posts', { title: 'c' })).toBe(201)
    expect(readFileSync(join(folder, 'posts.csv'), 'utf8')).toBe('id,title\n1,a\n2,c\n')
  })

  it.each([
    [
      'posts.yaml',
      '- id: 1\n  id: 1\n',
      'posts.yaml repeats "id" (line 2, column 3): only the last one is served.',
    ],
    [
      'posts.jsonc',
      '[{ "id": 1,\n"id": 1 }]',
      'posts.jsonc repeats "id" (line 2, column 1): only the last one is served.',
    ],
  ])('a name twice in %s is said', async (name, text, said) => {
    const files = new DataFiles([join(folderOf({ [name]: text }), name)])
    await files.load()
    expect(files.remarks.join()).toContain(said)
  })

  it('half of a CSV file is waited for also if its last line was ended by a save', async () => {
    const folder = folderOf({ 'posts.csv': 'id,title\n1,a' })
    const path = join(folder, 'posts.csv')
    const { api, db } = await serve(folder)
    expect(await send(api, 'POST', '/posts', { title: 'b' })).toBe(201)
    const edited = readFileSync(path, 'utf8').replace('b', 'edited')
    writeFileSync(path, edited.slice(0, -4))
    const posted = send(api, 'POST', '/posts', { title: 'new' })
    await sleep(25)
    writeFileSync(path, edited)
    expect(await posted).toBe(201)
    const titles = ['a', 'edited', 'new']
    expect(await db()).toEqual({ posts: titles.map((title, at) => ({ id: at + 1, title })) })
  })

  it.each([
    ['posts.csv', 'id,title\n1,a\n', 4],
    ['posts.csv', 'id,title\n1,a\n', 99],
    ['posts.ndjson', '{"id":1,"title":"a"}\n', 99],
    ['posts.yaml', '- id: 1\n  title: a\n', 4],
  ])('an edit of %s that begins right before a save, %#, is waited for', async (name, rows, missing) => {
    const folder = folderOf({ [name]: rows })
    const path = join(folder, name)
    const { api, db } = await serve(folder)
    const edited = rows.replace(/a(?=\W*$)/, 'edited')
    const { renameSync: rename } = fs
    onTestFinished(() => {
      fs.renameSync = rename
      syncBuiltinESMExports()
    })
    fs.renameSync = (from, to) => {
      fs.renameSync = rename
      syncBuiltinESMExports()
      const file = openSync(path, 'w')
      const written = writeSync(file, edited.slice(0, -missing))
      rename(from, to)
      setTimeout(() => {
        writeSync(file, edited.slice(written))
        closeSync(file)
      }, 25)
    }
    syncBuiltinESMExports()
    expect(await send(api, 'PATCH', '/posts/1', { more: 1 })).toBe(200)
    expect(await db()).toEqual({ posts: [{ id: 1, title: 'edited', more: 1 }] })
    expect(await (await serve(folder)).db()).toEqual(await db())
  })

  it.each([
    ['db.json', '{"posts":[]}\n', 'just now'],
    ['db.jsonc', '{"posts":[]}\n', 'just now'],
    ['posts.ndjson', '{"id":1}\n', 'just now'],
    ['posts.csv', 'id\n1\n', 'a while ago'],
  ])('a %s whose last line break is gone is not waited for: %j, edited %s', async (name, text, time) => {
    const path = join(folderOf({ [name]: text }), name)
    const files = new DataFiles(path)
    await files.load()
    await files.read()
    const { open } = fs.promises
    onTestFinished(() => {
      fs.promises.open = open
      syncBuiltinESMExports()
    })
    let reads = 0
    fs.promises.open = (...args) => {
      if (args[0] === path) reads++
      return open(...args)
    }
    syncBuiltinESMExports()
    writeFileSync(path, text.trimEnd())
    if (time !== 'just now') utimesSync(path, 1000, 1000)
    await files.read()
    expect(reads).toBe(1)
  })

  it.each(Object.entries(ROWS))('a %s that is gone is written again by a POST', async (name, rows) => {
    const folder = folderOf({ [name]: rows })
    const { api, db } = await serve([join(folder, name)])
    rmSync(join(folder, name))
    expect(await send(api, 'POST', '/posts', { title: 'new' })).toBe(201)
    expect(await send(api, 'POST', '/posts', { title: 'more' })).toBe(201)
    expect(await (await serve([join(folder, name)])).db()).toEqual(await db())
  })
})

it.each(['json', 'ndjson'])(
  'a .%s file that has another name parts from it when it is saved',
  async (ending) => {
    const name = `posts.${ending}`
    const text = ending === 'json' ? '[{"id":1}]' : '{"id":1}\n'
    const [one, other] = [folderOf({ [name]: text }), folderOf({})]
    linkSync(join(one, name), join(other, name))
    const servers = [await serve(one), await serve(other)]
    for (const { api, db } of servers) {
      expect(await send(api, 'POST', '/posts', {})).toBe(201)
      expect(await send(api, 'POST', '/posts', {})).toBe(201)
      expect(await db()).toEqual({ posts: [{ id: 1 }, { id: 2 }, { id: 3 }] })
    }
  },
)

it('an NDJSON file that goes right before rows are appended to it is written again', async () => {
  const path = join(folderOf({ 'posts.ndjson': '{"id":1}\n' }), 'posts.ndjson')
  const files = new DataFiles(path)
  const database = await files.load('id')
  const saved = files.exclusive(async () => {
    expect(await files.changedOutside()).toBe(false)
    rmSync(path)
    const posts = database.table('posts')
    await files.write(database.with('posts', posts?.edit([{ rank: posts.nextRank, after: { id: 2 } }])))
  })
  await expect(saved).rejects.toBeInstanceOf(ChangedOutside)
})

it('half a character, which CSV cannot hold, is refused', async () => {
  const folder = folderOf({ 'posts.csv': 'id,title\n1,a\n' })
  const { api, db } = await serve(folder)
  expect(await send(api, 'PATCH', '/posts/1', { title: 'x\ud800' })).toBe(503)
  expect(await send(api, 'PATCH', '/posts/1', { title: '😀' })).toBe(200)
  expect(await (await serve(folder)).db()).toEqual(await db())
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

  it('refuses what it cannot hold to those who send that, and to no one whose change is saved at the same time', async () => {
    const folder = folderOf({ 'users.csv': 'id,name\n', 'theme.json': THEME })
    const { api, db } = await serve(folder)
    const sent = Array.from({ length: 9 }, (_, at) =>
      at === 6
        ? send(api, 'PUT', '/theme', { lists: [{ id: 1 }] })
        : send(api, 'POST', '/users', at === 3 ? { 'a.b': 1 } : { name: `${at}` }),
    )
    expect(await Promise.all(sent)).toEqual([201, 201, 201, 503, 201, 201, 503, 201, 201])
    const users = [0, 1, 2, 4, 5, 7, 8].map((at, nth) => ({ id: nth + 1, name: `${at}` }))
    const data = { theme: JSON.parse(THEME), users }
    expect(await db()).toEqual(data)
    expect(await (await serve(folder)).db()).toEqual(data)
  })

  it('does not save each change alone because one of them cannot be held', async () => {
    const { api, db } = await serve(join(folderOf({ 'users.csv': 'id,name\n' }), 'users.csv'))
    const write = vi.spyOn(DataFiles.prototype, 'write')
    onTestFinished(() => write.mockRestore())
    const sent = Array.from({ length: 64 }, (_, at) =>
      send(api, 'POST', '/users', at === 40 ? { 'a.b': 1 } : { name: `${at}` }),
    )
    expect((await Promise.all(sent)).filter((status) => status === 503)).toHaveLength(1)
    expect((await db()) as object).toHaveProperty('users.length', 63)
    expect(write.mock.calls.length).toBeLessThan(20)
  })
})

describe('a change of two files', () => {
  const TWO = { 'companies.yaml': '- id: 1 # first\n', 'products.csv': 'id,companyId\n1,1\n2,9\n' }
  const removeBoth = (api: OpenedServer) => send(api, 'DELETE', '/companies/1?_dependent=products')

  const WITH_NEW = { companies: [], products: [], reviews: [], tags: [{ id: 1 }], zones: [{ id: 1 }] }

  /** Lets renames onto these files fail, that often. */
  async function failing<T>(times: Record<string, number>, code: string, work: () => Promise<T>): Promise<T> {
    const { renameSync } = fs
    fs.renameSync = (from, to) => {
      const name = basename(String(to))
      const left = times[name] ?? 0
      times[name] = left - 1
      if (left > 0) throw Object.assign(new Error('disk'), { code })
      renameSync(from, to)
    }
    syncBuiltinESMExports()
    return work().finally(() => {
      fs.renameSync = renameSync
      syncBuiltinESMExports()
    })
  }

  it.each<[string, Record<string, number>, (api: OpenedServer) => Promise<number>]>([
    ['one', { 'products.csv': 2 }, removeBoth],
    [
      'one, and another only when it was closed',
      { 'products.csv': 1, 'reviews.json': 2 },
      (api) => send(api, 'DELETE', '/companies/1?_dependent=products,reviews'),
    ],
    [
      'one, with a new file before it',
      { 'zones.json': 2 },
      (api) => send(api, 'PUT', '/__snapshots__/db-1700000000000'),
    ],
  ])('changes none when it cannot replace %s, and forgets no earlier change', async (_, times, change) => {
    const files = { ...TWO, 'reviews.json': '[]', 'zones.json': '[]' }
    const folder = folderOf(files)
    const snapshots = folderOf({ 'db-1700000000000.json': JSON.stringify(WITH_NEW) })
    const { api, db } = await serve(folder, { snapshots })
    expect(await send(api, 'POST', '/reviews', { companyId: 1 })).toBe(201)
    const inodes = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino])
    const before = await db()
    const places = inodes()
    expect(await failing(times, 'EIO', () => change(api))).toBe(503)
    expect(inodes()).toEqual(places)
    expect(await db()).toEqual(before)
    expect(await (await serve(folder)).db()).toEqual(before)
    expect(await send(api, 'POST', '/__undo')).toBe(200)
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    expect(await removeBoth(api)).toBe(200)
  })

  it('changes none when it can only overwrite them, and one not even that', async () => {
    const folder = folderOf(TWO)
    const { api } = await serve(folder)
    // Where the copy to rescue it from would be.
    mkdirSync(join(folder, '.products.csv.rescue'))
    const texts = () => Object.keys(TWO).map((name) => readFileSync(join(folder, name), 'utf8'))
    await failing({ 'companies.yaml': 99, 'products.csv': 99 }, 'EBUSY', async () => {
      expect(await removeBoth(api)).toBe(503)
      expect(texts()).toEqual(Object.values(TWO))
      rmSync(join(folder, '.products.csv.rescue'), { recursive: true })
      expect(await removeBoth(api)).toBe(200)
    })
    expect(texts()).toEqual(['[]\n', 'id,companyId\n2,9\n'])
    expect(readdirSync(folder).sort()).toEqual(Object.keys(TWO))
  })

  it('replaces, adds and removes the others where one can only be overwritten', async () => {
    const files = { ...TWO, 'gone.json': '[]' }
    const folder = folderOf(files)
    const snapshots = folderOf({ 'db-1700000000000.json': JSON.stringify(WITH_NEW) })
    const { api } = await serve(folder, { snapshots })
    const { ino } = statSync(join(folder, 'companies.yaml'))
    const status = await failing({ 'companies.yaml': 9 }, 'EBUSY', () =>
      send(api, 'PUT', '/__snapshots__/db-1700000000000'),
    )
    expect(status).toBe(200)
    expect(statSync(join(folder, 'companies.yaml')).ino).toBe(ino)
    expect(await (await serve(folder)).db()).toEqual(WITH_NEW)
    const names = ['companies.yaml', 'products.csv', 'reviews.json', 'tags.json', 'zones.json']
    expect(readdirSync(folder).sort()).toEqual(names)
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

describe('a seed', () => {
  it.each([
    ['people.csv', 'staff.csv', 'id,n\n1,x\n', { people: [{ id: 1, n: 'x' }] }],
    ['events.ndjson', 'list.json', '[{"id":1}]', { events: [{ id: 1 }] }],
    ['db.json', 'list.json', '[{"id":1}]', { list: [{ id: 1 }] }],
    ['users.csv', 'all.json', '{"users":[{"id":1}],"posts":[]}', { users: [{ id: 1 }] }],
  ])('fills %s from %s, at the start and at a reset', async (file, seed, text, data) => {
    const folder = folderOf({ [seed]: text })
    const { api, lines, db } = await serve(join(folder, file), { seed: join(folder, seed) })
    expect(lines.join()).toContain(`did not exist: created it from ${join(folder, seed)}.`)
    expect(await db()).toEqual(data)
    const [name] = Object.keys(data)
    expect(await send(api, 'DELETE', `/${name}/1`)).toBe(200)
    expect(await send(api, 'POST', '/__reset')).toBe(200)
    expect(await db()).toEqual(data)
  })

  it('has to hold the collection of a file with a row per line', async () => {
    const folder = folderOf({ 'all.json': '{"users":[],"posts":[]}' })
    await expect(serve(join(folder, 'people.csv'), { seed: join(folder, 'all.json') })).rejects.toThrow(
      /^seed: ".*all\.json" has users, posts, and ".*people\.csv" holds one collection\. Name a seed with people\.$/,
    )
  })

  it('has to hold what the file can hold', async () => {
    const folder = folderOf({ 'mixed.json': '[{"id":1,"a":1},{"id":2,"a":true}]' })
    const file = join(folder, 'people.csv')
    await expect(serve(file, { seed: join(folder, 'mixed.json') })).rejects.toThrow(
      /^source: ".*people\.csv" is not able to hold this: in CSV, a field has values of one kind/,
    )
    expect(existsSync(file)).toBe(false)
  })

  it('is not needed: a file with a row per line begins empty, and is said to', async () => {
    const { lines, db } = await serve(join(folderOf({}), 'events.ndjson'))
    expect(lines.join()).toContain('events.ndjson did not exist: created it empty.')
    expect(await db()).toEqual({ events: [] })
  })
})

it('a restored snapshot leaves files alone whose rows are the same', async () => {
  const folder = folderOf({ 'posts.json': '[{"id":1}]', 'users.json': '[{"id":1}]' })
  const { api } = await serve(folder, { snapshots: join(folder, 'snapshots') })
  const { id } = JSON.parse(await (await api.fetch('/__snapshots__', { method: 'POST' })).text())
  expect(await send(api, 'POST', '/posts', {})).toBe(201)
  expect(await send(api, 'PUT', `/__snapshots__/${id}`)).toBe(200)
  expect(JSON.parse(readFileSync(join(folder, 'posts.json'), 'utf8'))).toEqual([{ id: 1 }])
  expect(readFileSync(join(folder, 'users.json'), 'utf8')).toBe('[{"id":1}]')
})

it('a file that can no longer be saved, unlike at the start, refuses writes', async () => {
  const folder = folderOf({ 'posts.yaml': '- id: 1\n', 'users.json': '[]' })
  const { api, db } = await serve(folder)
  writeFileSync(join(folder, 'posts.yaml'), '- &first\n  id: 1\n- *first\n')
  const response = await api.fetch('/posts', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  })
  expect(response.status).toBe(503)
  expect(JSON.parse(await response.text()).message).toMatch(
    /posts\.yaml cannot be saved: .*restart, to serve it without saving\./,
  )
  expect(await send(api, 'POST', '/users', {})).toBe(201)
  expect(await db()).toMatchObject({ posts: [{ id: 1 }, { id: 1 }] })
})

it('a file that was never read survives every reset', async () => {
  const folder = folderOf({ 'posts.json': '[{"id":1}]' })
  const { api } = await serve(folder)
  writeFileSync(join(folder, 'notes.json'), '[{"id":')
  for (let round = 0; round < 3; round++) await send(api, 'POST', '/__reset')
  expect(readFileSync(join(folder, 'notes.json'), 'utf8')).toBe('[{"id":')
})

it('a file that is gone is written again by a reset, though another one cannot be read', async () => {
  const folder = folderOf({ 'posts.json': '[{"id":1}]', 'tags.json': '[]' })
  const { api } = await serve(folder)
  rmSync(join(folder, 'posts.json'))
  writeFileSync(join(folder, 'notes.json'), '[{"id":')
  expect(await send(api, 'POST', '/__reset')).toBe(200)
  expect(JSON.parse(readFileSync(join(folder, 'posts.json'), 'utf8'))).toEqual([{ id: 1 }])
})

it('a change of a password alone is saved', async () => {
  const users = [{ id: 1, email: 'a@a.test', password: 'secret-1', role: 'admin' }]
  const folder = folderOf({ 'users.json': JSON.stringify(users), 'posts.json': '[]' })
  const { api } = await serve(folder, { middlewares: ['accounts'] })
  await send(api, 'POST', '/posts', {})
  const before = readFileSync(join(folder, 'users.json'), 'utf8')
  const login = await api.fetch('/login', json('POST', { email: 'a@a.test', password: 'secret-1' }))
  const { accessToken } = JSON.parse(await login.text())
  const init = json('PATCH', { password: 'another-2', currentPassword: 'secret-1' })
  const headers = { ...init.headers, Authorization: `Bearer ${accessToken}` }
  expect((await api.fetch('/users/1', { ...init, headers })).status).toBe(200)
  expect(readFileSync(join(folder, 'users.json'), 'utf8')).not.toBe(before)
})

it.each([
  ['todos.yaml', '# todos'],
  ['todos.jsonc', '// todos'],
])('rows can be added to %s, which is a comment without a line end', async (name, text) => {
  const folder = folderOf({ [name]: text, 'posts.json': '[]' })
  const { api } = await serve(folder)
  expect(await send(api, 'POST', '/todos', { title: 'x' })).toBe(201)
  expect(readFileSync(join(folder, name), 'utf8').split('\n')[0]).toBe(text)
  expect(await (await serve(folder)).db()).toEqual({ posts: [], todos: [{ title: 'x', id: 1 }] })
})

it('a seed that is missing is not made up', async () => {
  const folder = folderOf({})
  await expect(serve(join(folder, 'db.json'), { seed: join(folder, 'seed.yaml') })).rejects.toThrow(
    /^seed: there is no file ".*seed\.yaml"/,
  )
})

it('a row that was cut within a character is cut off', async () => {
  const folder = folderOf({})
  const whole = Buffer.from('{"id":1}\n{"id":2,"name":"日本語')
  for (const cut of [0, 1, 2, 3]) {
    writeFileSync(join(folder, 'events.ndjson'), whole.subarray(0, whole.length - cut))
    expect(await (await serve(join(folder, 'events.ndjson'))).db()).toEqual({ events: [{ id: 1 }] })
  }
})

it('an anchor may be used many times', async () => {
  const rows = Array.from({ length: 1500 }, (_, at) => `- { id: ${at + 2}, company: *acme }`)
  const folder = folderOf({ 'posts.yaml': ['- &acme { id: 1 }', ...rows, ''].join('\n'), 'loop.json': '[]' })
  expect((await (await serve(folder)).api.fetch('/posts/1501')).status).toBe(200)
  await expect(serve(join(folderOf({ 'a.yaml': '- &a [*a]\n' }), 'a.yaml'))).rejects.toThrow('anchors')
})

it('line ends in quotes of CSV stay, whatever the lines end in', async () => {
  const folder = folderOf({ 'notes.csv': 'id,text\r\n1,"a\r\nb"\r\n2,c\n' })
  expect(await (await serve(join(folder, 'notes.csv'))).db()).toMatchObject({
    notes: [{ text: 'a\r\nb' }, {}],
  })
})
