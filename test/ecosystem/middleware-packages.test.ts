import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { endLaunched, type Launched, launch } from '../support/child/launch.ts'
import { json } from '../support/http/serving.ts'
import { type Consumer, createConsumer, MADE_FOR_JSON_SERVER } from '../support/package/consumer.ts'

// Real processes on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 })

const DATA = {
  users: [],
  posts: [
    { id: 1, title: 'mine', userId: 1 },
    { id: 2, title: 'theirs', userId: 2 },
  ],
}

/** The custom server of json-server-auth's README, with json-server-reset in it. */
const CUSTOM_SERVER = `
  const jsonServer = require('json-server')
  const auth = require('json-server-auth')
  const reset = require('json-server-reset')
  const app = jsonServer.create()
  const router = jsonServer.router('custom.json')
  app.db = router.db
  app.use(auth.rewriter({ users: 600, posts: 640, '/blog/*': '/$1' }))
  app.use(jsonServer.defaults({ logger: false, bodyParser: true }))
  app.use(reset)
  app.use(auth)
  app.use(router)
  const server = app.listen(0, '127.0.0.1', () => {
    console.log('Home\\n  http://127.0.0.1:' + server.address().port)
  })
`

// json-server-auth uses an `express` that it does not bring: whichever the project has, or else ours.
const OWN = 'an Express 4 of the project'
const EXPRESSES: readonly (readonly [string, readonly string[]])[] = [
  ['the Express 5 that is part of us', []],
  [OWN, ['express@4']],
]
const projects = new Map<string, Consumer>()

// Both at the same time: an install mostly waits.
beforeAll(async () => {
  const made = EXPRESSES.map(async ([name, more]) => {
    const project = await createConsumer({ as: 'json-server', packages: [...MADE_FOR_JSON_SERVER, ...more] })
    projects.set(name, project)
    await writeFile(join(project.folder, 'server.cjs'), CUSTOM_SERVER)
  })
  await Promise.all(made)
}, 180_000)
afterAll(async () => {
  for (const project of projects.values()) await project.remove()
})

describe.each(EXPRESSES)('middleware packages made for json-server, on %s', (name) => {
  let project: Consumer
  beforeAll(() => {
    const made = projects.get(name)
    if (made) project = made
  })
  afterAll(endLaunched)

  /** Where the custom server listens: it is the same for all tests, and has a file of its own. */
  let custom: string | undefined
  let file: string
  let others: Launched[] = []
  afterEach(async () => {
    for (const { child, ended } of others) {
      child.kill('SIGKILL')
      await ended
    }
    others = []
  })

  async function start(
    program: string,
    ...args: readonly string[]
  ): Promise<{ base: string; process: Launched }> {
    file = join(project.folder, 'db.json')
    await writeFile(file, JSON.stringify(DATA))
    const process = launch(args, { cwd: project.folder, program: join(project.folder, program) })
    others.push(process)
    return { base: await process.url(), process }
  }

  async function startCustom(): Promise<{ base: string }> {
    file = join(project.folder, 'custom.json')
    if (custom === undefined) await writeFile(file, JSON.stringify(DATA))
    custom ??= await launch([], {
      cwd: project.folder,
      program: join(project.folder, 'server.cjs'),
    }).url()
    expect(await status(`${custom}/reset`, json('POST', DATA))).toBe(200)
    return { base: custom }
  }

  const saved = async () => JSON.parse(await readFile(file, 'utf8'))
  const user = { email: 'olivier@mail.com', password: 'bestPassw0rd' }

  async function register(base: string): Promise<RequestInit> {
    const response = await fetch(`${base}/register`, json('POST', { ...user, age: 32 }))
    const body = (await response.json()) as { accessToken: string; user: object }
    expect([response.status, body.user]).toEqual([201, { email: user.email, age: 32, id: 1 }])
    expect((await saved()).users).toEqual([
      { email: user.email, password: expect.stringMatching(/^\$2/), age: 32, id: 1 },
    ])
    return { headers: { authorization: `Bearer ${body.accessToken}` } }
  }

  const status = async (url: string, init?: RequestInit) => (await fetch(url, init)).status

  function asUser(init: RequestInit, { headers }: RequestInit): RequestInit {
    return { ...init, headers: { ...Object(init.headers), ...Object(headers) } }
  }

  it.each([
    [
      '-m',
      'node_modules/json-server/dist/bundle/bin.cjs',
      ['db.json', '-p', '0', '-m', './node_modules/json-server-auth'],
    ],
    [
      "json-server's old program",
      'node_modules/json-server/lib/cli/bin.js',
      ['db.json', '-p0', '-m', './node_modules/json-server-auth'],
    ],
    ['a custom server', undefined, []],
  ])('json-server-auth registers, logs in and guards paths through %s', async (_, program, args) => {
    const { base } = program === undefined ? await startCustom() : await start(program, ...args)
    const token = await register(base)
    const login = await fetch(`${base}/login`, json('POST', user))
    expect([login.status, Object.keys(Object(await login.json()))]).toEqual([200, ['accessToken', 'user']])
    expect(await status(`${base}/login`, json('POST', { ...user, password: 'wrong' }))).toBe(400)
    expect(await status(`${base}/register`, json('POST', user))).toBe(400)
    expect(await status(`${base}/register`, json('POST', { email: 'no' }))).toBe(400)
    expect(await status(`${base}/660/posts`)).toBe(401)
    expect(await status(`${base}/660/posts`, token)).toBe(200)
    expect(await status(`${base}/664/posts`)).toBe(200)
    expect(await status(`${base}/664/posts`, json('POST', {}))).toBe(401)
    expect(await status(`${base}/664/posts`, asUser(json('POST', { title: 'new' }), token))).toBe(201)
    expect((await saved()).posts.at(-1)).toEqual({ title: 'new', id: 3 })
    expect(await status(`${base}/600/posts/1`, token)).toBe(200)
    expect(await status(`${base}/600/posts/2`, token)).toBe(403)
    expect(await status(`${base}/640/posts/2`, token)).toBe(200)
    expect(await status(`${base}/640/posts/2`, asUser(json('PATCH', { title: 'x' }), token))).toBe(403)
    expect(await status(`${base}/640/posts/1`, asUser(json('PATCH', { title: 'x' }), token))).toBe(200)
    expect(await status(`${base}/444/posts`)).toBe(200)
    expect(await status(`${base}/444/posts`, json('POST', {}))).toBe(403)
  })

  it('json-server-auth guards resources through its rewriter in a custom server', async () => {
    const { base } = await startCustom()
    const token = await register(base)
    expect(await status(`${base}/posts/1`)).toBe(401)
    expect(await status(`${base}/posts/1`, token)).toBe(200)
    expect(await status(`${base}/posts?title=mine`, token)).toBe(200)
    expect(await status(`${base}/posts`, asUser(json('POST', { userId: 2 }), token))).toBe(403)
    expect(await status(`${base}/posts`, asUser(json('POST', { userId: 1 }), token))).toBe(201)
    expect(await status(`${base}/posts/2`, asUser({ method: 'DELETE' }, token))).toBe(403)
    expect(await status(`${base}/users/1`, token)).toBe(200)
    const patched = await fetch(`${base}/users/1`, asUser(json('PATCH', { password: 'another1' }), token))
    expect([patched.status, (await saved()).users[0].password]).toEqual([200, expect.stringMatching(/^\$2/)])
    expect(await status(`${base}/login`, json('POST', { ...user, password: 'another1' }))).toBe(200)
  })

  // It needs Express before us.
  it.runIf(name === OWN)("json-server-auth's own command starts us, guards and all", async () => {
    await writeFile(join(project.folder, 'guards.json'), '{ "posts": 660, "/articles/*": "/posts/$1" }')
    const { base, process } = await start(
      'node_modules/json-server-auth/dist/bin.js',
      ...['db.json', '--port', '0', '-r', 'guards.json'],
    )
    const token = await register(base)
    expect(await status(`${base}/posts`)).toBe(401)
    expect(await status(`${base}/posts`, token)).toBe(200)
    process.child.kill('SIGTERM')
    expect(await process.ended).toBe(0)
  })

  it.each([
    [
      '-m',
      'node_modules/json-server/dist/bundle/bin.cjs',
      ['db.json', '-p', '0', '-m', './node_modules/json-server-reset'],
    ],
    ['a custom server', undefined, []],
  ])('json-server-reset puts other data in place through %s', async (_, program, args) => {
    const { base } = program === undefined ? await startCustom() : await start(program, ...args)
    const other = { users: [{ id: 9 }], posts: [], notes: [{ id: 1 }] }
    expect(await status(`${base}/reset`, json('POST', other))).toBe(200)
    expect(await saved()).toEqual(other)
    expect(await (await fetch(`${base}/notes`)).json()).toEqual([{ id: 1 }])
    expect(await status(`${base}/reset`, json('POST', {}))).toBe(400)
    expect(await status(`${base}/notes`, json('POST', {}))).toBe(201)
    expect((await saved()).notes).toEqual([{ id: 1 }, { id: 2 }])
  })
})
