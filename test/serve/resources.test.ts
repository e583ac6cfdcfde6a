import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { router, start } from '../../src/index.ts'
import { eventually, Folder, printed } from '../support/http/watched.ts'

let folder: Folder

beforeEach(async () => {
  folder = await Folder.create()
  await folder.write('db.json', {
    users: [{ id: 1, email: 'a@b.co' }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }],
    teams: [],
  })
  await folder.write('config/schemas/user.json', needs('email'))
})

afterEach(() => folder.remove())

const needs = (...required: string[]) => ({ type: 'object', required })
const config = (users: object, more: object = {}) => ({
  source: folder.file('db.json'),
  watch: true,
  resources: { users },
  ...more,
})
const status = async (post: Promise<Response>) => (await post).status

describe('the rules of a config file', () => {
  it('name schemas from that file, and count the rows that do not fit, which are served', async () => {
    await folder.write('config/restable.json', config({ schema: 'schemas/user.json' }))
    const { get, post, lines } = await folder.serveConfig('config/restable.json')
    expect([await status(post('/users', {})), await status(post('/users', { email: 'x' }))]).toEqual([
      422, 201,
    ])
    expect(await get('/users/2')).toEqual({ id: 2 })
    await printed(lines, /not fit/)
    expect(lines.filter((line) => /not fit/.test(line))).toEqual([
      'users: 4 of 5 rows do not fit the schema and are served as they are: id 2 (email is required), ' +
        'id 3 (email is required), id 4 (email is required), ….',
    ])
  })

  it('are names of the data, never respelled', async () => {
    await folder.write('db.json', { 'user-names': [], userNames: [] })
    await folder.write('c.json', {
      source: folder.file('db.json'),
      resources: { 'user-names': { schema: needs('a') }, userNames: { schema: needs('b') } },
    })
    const { post } = await folder.serveConfig('c.json')
    const errors = async (path: string) => Object(await (await post(path, {})).json()).errors
    expect([await errors('/user-names'), await errors('/userNames')]).toEqual([
      { a: 'is required' },
      { b: 'is required' },
    ])
  })

  it.each<[string, object, string]>([
    [
      'an unknown key',
      { uniqe: ['a'] },
      'there is no setting "resources.users.uniqe". Did you mean "resources.users.unique"?',
    ],
    [
      'unique that is no list',
      { unique: 'email' },
      '"resources.users.unique" must be a list of fields, not the string "email".',
    ],
    [
      'timestamps that are no names',
      { timestamps: ['a'] },
      '"resources.users.timestamps" must be true, or the names of two fields',
    ],
    [
      'ids of a kind that is not known',
      { ids: 'uuid7' },
      '"resources.users.ids" must be one of "increment", "uuid" and "nanoid", not the string "uuid7".',
    ],
    [
      'a reference to what is not there',
      { references: { teamId: { resource: 'team' } } },
      'resources.users.references.teamId: there is no collection "team". Correct the name, or add "team": [] to the data.',
    ],
    [
      'a timestamp in the primary key',
      { timestamps: ['id', 'at'] },
      'c.json: resources.users.timestamps: "id" is the primary key. Name another field.',
    ],
    [
      'two timestamps in one field',
      { timestamps: ['at', 'at'] },
      'c.json: resources.users.timestamps: both fields are called "at". Name two different ones.',
    ],
    [
      'an inline schema with a mistake',
      { schema: { typ: 'object' } },
      'resources.users.schema: at the top, there is no keyword "typ".',
    ],
  ])('stop the start with one line: %s', async (_, users, message) => {
    await folder.write('c.json', config(users))
    const start = folder.serveConfig('c.json')
    await expect(start).rejects.toThrow(message)
    await expect(start).rejects.toThrow(/^[^\n]*$/)
  })

  it('stop the start if a schema file is missing, with its folder', async () => {
    await folder.write('config/c.json', config({ schema: 'schemas/nowhere.json' }))
    await expect(folder.serveConfig('config/c.json')).rejects.toThrow(
      `c.json: resources.users.schema: there is no file nowhere.json in ${folder.file('config/schemas')}. Correct the path, ` +
        'or put a JSON Schema there.',
    )
  })

  it('are judged by what the primary key is called', async () => {
    await folder.write('db.json', { users: [{ _id: 1 }] })
    await folder.write('c.json', config({ timestamps: ['id', '_id'] }, { id: '_id' }))
    await expect(folder.serveConfig('c.json')).rejects.toThrow('"_id" is the primary key')
    expect(() => router({ users: [] }, { resources: { users: { timestamps: ['at', 'at'] } } })).toThrow(
      'resources.users.timestamps: both fields are called "at". Name two different ones.',
    )
  })

  it.each<[string, object, readonly string[]]>([
    [
      'unique fields',
      {
        users: {
          unique: ['name', 'emial', ['name', 'shoeSize']],
          references: { teamId: { resource: 'teams' } },
        },
      },
      [
        'resources.users.unique: no row of users has the field "emial", nor does a schema name it. Did you mean "email"?',
        'resources.users.unique: no row of users has the field "shoeSize", nor does a schema name it. Correct the name.',
      ],
    ],
    [
      'references',
      { users: { references: { teamIdd: { resource: 'teams' } } } },
      [
        'resources.users.references: no row of users has the field "teamIdd", nor does a schema name it. Did you mean "teamId"?',
      ],
    ],
    [
      'fields that a schema does not name, where there are no rows',
      { teams: { schema: { properties: { name: true } }, unique: ['nam'] } },
      [
        'resources.teams.unique: no row of teams has the field "nam", nor does a schema name it. Did you mean "name"?',
      ],
    ],
    [
      'nothing where nothing is known',
      { teams: { unique: ['name'], references: { a: { resource: 'users' } } } },
      [],
    ],
    [
      'no field that a schema, the server or some row has',
      {
        users: {
          unique: ['id', 'at', 'code', 'address.city'],
          references: { boss: { resource: 'users' }, 'team.id': { resource: 'teams' } },
          timestamps: ['at', 'on'],
          schema: { allOf: [{ properties: { code: {} } }], properties: { boss: {}, team: {} } },
        },
      },
      [],
    ],
  ])('remark on %s', async (_, resources, expected) => {
    const users = [
      { id: 1, name: 'Ada', email: 'a@b.co' },
      { id: 2, teamId: null, address: { city: 'Rome' } },
    ]
    await folder.write('db.json', { users, teams: [] })
    await folder.write('c.json', { source: folder.file('db.json'), resources })
    const { lines } = await folder.serveConfig('c.json')
    expect(lines.filter((line) => /nor does a schema/.test(line))).toEqual(expected)
  })

  it.each<[string, object, RegExp]>([
    [
      'a name that is no resource',
      { resources: { user: {} } },
      /^resources\.user: there is no such resource.* Did you mean "users"\?$/,
    ],
    [
      'what means nothing for a single object',
      { resources: { me: { unique: ['a'] } } },
      /^resources\.me is a single object: id, unique, references and ids mean nothing for it\. Remove them\.$/,
    ],
  ])('get a remark for %s', async (_, more, line) => {
    await folder.write('db.json', { users: [], me: {} })
    await folder.write('c.json', config({}, more))
    const { lines } = await folder.serveConfig('c.json')
    expect(await printed(lines, line)).toBe(1)
  })
})

it('a count of rows that do not fit ends with the server', async () => {
  const users = Array.from({ length: 20_000 }, (_, id) => ({ id, email: id }))
  const lines: string[] = []
  const resources = { users: { schema: { properties: { email: { type: 'string' } } } } }
  const server = await start({ data: { users }, live: false, resources, print: (line) => lines.push(line) })
  await server.close()
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(lines.filter((line) => /not fit/.test(line))).toEqual([])
})

describe('a schema file that changes', () => {
  it('holds from then on, and one that cannot be used leaves the old one in use', async () => {
    await folder.write('c.json', config({ schema: 'config/schemas/user.json' }))
    const file = folder.file('config/schemas/user.json')
    const { post, lines } = await folder.serveConfig('c.json')
    expect(await status(post('/users', { name: 'x' }))).toBe(422)
    await folder.write('config/schemas/user.json', needs('name'))
    await eventually(async () => expect(await status(post('/users', { name: 'x' }))).toBe(201))
    await printed(lines, /user\.json changed, reloaded\.$/)

    await folder.write('config/schemas/user.json', { typ: 'object' })
    await printed(
      lines,
      /^Not reloaded, the old version stays in use: .*user\.json: at the top, there is no keyword "typ"/,
    )
    await folder.write('config/schemas/user.json', '{ "type": ')
    await printed(lines, /^Not reloaded, .*user\.json is empty or half-written\.$/)
    expect([await status(post('/users', {})), await status(post('/users', { name: 'x' }))]).toEqual([
      422, 201,
    ])

    await folder.replace('config/schemas/user.json', needs('city'))
    await eventually(async () => expect(await status(post('/users', { name: 'x' }))).toBe(422))
    expect(lines.filter((line) => line.startsWith('Not reloaded')).every((line) => line.includes(file))).toBe(
      true,
    )
  })

  it('may refer to other files, which are followed too', async () => {
    await folder.write('config/schemas/user.json', { $ref: '../parts/base.json#/$defs/named' })
    await folder.write('config/parts/base.json', { $defs: { named: needs('name') } })
    await folder.write('c.json', config({ schema: 'config/schemas/user.json' }))
    const { post, get, lines } = await folder.serveConfig('c.json')
    const errors = async () => Object(await (await post('/users', {})).json()).errors
    expect(await errors()).toEqual({ name: 'is required' })
    const { components } = Object(await get('/__openapi'))
    expect(components.schemas.NewUser).toMatchObject({ required: ['name'] })
    await folder.write('config/parts/base.json', '{ "$defs": ')
    await printed(lines, /^Not reloaded, /)
    expect(await errors()).toEqual({ name: 'is required' })
    await folder.write('config/parts/base.json', { $defs: { named: needs('city') } })
    await eventually(async () => expect(await errors()).toEqual({ city: 'is required' }))
  })

  it('is followed once the config names it, and rules go when the config drops them', async () => {
    await folder.write('c.json', { source: folder.file('db.json'), watch: true })
    const { post, lines } = await folder.serveConfig('c.json')
    expect(await status(post('/users', {}))).toBe(201)
    await folder.write('c.json', config({ schema: 'config/schemas/user.json', unique: ['email'] }))
    await eventually(async () => expect(await status(post('/users', {}))).toBe(422))
    expect(await status(post('/users', { email: 'a@b.co' }))).toBe(409)
    await folder.write('config/schemas/user.json', needs('name'))
    await eventually(async () => expect(await status(post('/users', { name: 'x' }))).toBe(201))
    await folder.write('c.json', config({ references: { a: { resource: 'nothing' } } }))
    await printed(
      lines,
      /^Not reloaded, .*c\.json: resources\.users\.references\.a: there is no collection "nothing"/,
    )
    expect(await status(post('/users', {}))).toBe(422)
    await folder.write('c.json', { source: folder.file('db.json'), watch: true })
    await eventually(async () => expect(await status(post('/users', {}))).toBe(201))
  })

  it('has rows counted again, and so has data that changes', async () => {
    await folder.write('c.json', config({ schema: 'config/schemas/user.json' }))
    const { lines } = await folder.serveConfig('c.json')
    await printed(lines, /^users: 4 of 5 rows do not fit/)
    await folder.write('db.json', { users: [{ id: 1 }], teams: [] })
    await printed(
      lines,
      /^users: 1 of 1 rows does not fit the schema and is served as it is: id 1 \(email is required\)\.$/,
    )
    await folder.write('config/schemas/user.json', needs('name'))
    await printed(lines, /id 1 \(name is required\)/)
  })
})
