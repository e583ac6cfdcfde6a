import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Consumer, createConsumer } from './support/package/consumer.ts'

const NAMES = ['create', 'defaults', 'router', 'rewriter', 'bodyParser', 'start']
/** A server that starts, answers and ends, written as a user's own program. */
const ROUND_TRIP = `
  const server = await start({ data: { posts: [{ id: 1 }] }, quiet: true })
  const answer = await fetch(server.url + '/posts/1')
  console.log(answer.status, JSON.stringify(await answer.json()))
  await server.close()
`

/** Uses a schema, passwords, tokens, a certificate, patterns and the chain of `router.db`. */
const EVERYTHING = `
  import { request } from 'node:https'
  import { router, start } from 'restable'
  const posts = [{ id: 1, title: 'a-b' }, { id: 2, title: 'c' }]
  const schema = { type: 'object', properties: { title: { type: 'string', format: 'email' } } }
  const server = await start({
    data: { posts, notes: [], users: [] },
    quiet: true,
    port: 0,
    https: true,
    middlewares: ['accounts'],
    accounts: { secret: 'a secret of at least thirty-two characters' },
    resources: { notes: { schema } },
  })
  const send = (method, path, body, token) => new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) }
    const req = request(server.url + path, { method, headers, rejectUnauthorized: false }, async (res) => {
      resolve({ status: res.statusCode, body: JSON.parse(Buffer.concat(await res.toArray())) })
    })
    req.on('error', reject).end(body && JSON.stringify(body))
  })
  const { status: registered, body } = await send('POST', '/register', { email: 'a@b.co', password: 'secret12' })
  const { status: invalid } = await send('POST', '/notes', { title: 'x' }, body.accessToken)
  const { status: listed } = await send('GET', '/users', undefined, body.accessToken)
  const { body: like } = await send('GET', '/posts?title_like=' + encodeURIComponent('^(a|z)+-(b|c){1,9}$'))
  const chained = router({ posts }).db.get('posts').find({ title: 'a-b' }).value().id
  console.log(JSON.stringify({ invalid, registered, listed, like, chained }))
  await server.close()
`

let consumer: Consumer
beforeAll(async () => {
  consumer = await createConsumer()
}, 180_000)
afterAll(() => consumer?.remove())

/** A project with the types of Node, which all in TypeScript have. */
async function typedConsumer(): Promise<Consumer> {
  const typed = await createConsumer({ packages: ['@types/node@20'] })
  onTestFinished(() => typed.remove())
  return typed
}

describe('the package', () => {
  it('holds the built program and what belongs to it, and nothing else', () => {
    const allowed =
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|docs\/[\w-]+\.md|data\/(db|hosted-examples)\.json|src\/page\/screenshot\.png|lib\/cli\/bin\.js|dist\/config\.schema\.json|dist\/bundle\/THIRD-PARTY-LICENSES\.txt|dist\/page\/[\w./-]+\.(html|js|css|svg)|dist\/bundle\/[\w-]+\.(js|cjs|d\.ts|d\.cts)|dist\/lib\/[\w-]+\.(cjs|d\.cts))$/
    expect(consumer.files.filter((file) => !allowed.test(file))).toEqual([])
  })

  it.each([
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
    'docs/queries.md',
    'data/db.json',
    'data/hosted-examples.json',
    'src/page/screenshot.png',
    'dist/bundle/bin.cjs',
    'dist/config.schema.json',
    'dist/bundle/index.cjs',
    'dist/bundle/index.d.cts',
    'dist/bundle/index.d.ts',
    'dist/bundle/index.js',
    'lib/cli/bin.js',
  ])('holds %s', (file) => {
    expect(consumer.files).toContain(file)
  })

  it('has nothing that npm would run in the project of others', async () => {
    const { scripts } = JSON.parse(
      await readFile(join(consumer.folder, 'node_modules/restable/package.json'), 'utf8'),
    )
    const lifecycle = [
      'preinstall',
      'install',
      'postinstall',
      'prepublish',
      'preprepare',
      'prepare',
      'postprepare',
    ]
    expect(Object.keys(scripts).filter((name) => lifecycle.includes(name))).toEqual([])
  })

  it('exports what users need, and no insides', async () => {
    const types = await readFile(
      join(consumer.folder, 'node_modules/restable/dist/bundle/index.d.ts'),
      'utf8',
    )
    const exported = /\nexport \{(.*)\};\s*$/.exec(types)?.[1]?.split(',') ?? []
    const values = exported.map((name) => name.trim()).filter((name) => !name.startsWith('type '))
    expect(values.toSorted()).toEqual(
      [
        ...NAMES,
        '_default as default',
        ...[
          'open',
          'connect',
          'define',
          'defineConfig',
          'growData',
          'refuse',
          'describeApi',
          'followApi',
          'exportData',
          'importData',
          'importDescription',
          'openDescription',
        ],
        ...['apiKey', 'bearer', 'cors', 'delay', 'jwt', 'logger', 'rateLimit'],
        ...['ClockError', 'ConfigError', 'ListenError', 'ResponseError', 'StorageError'],
      ].toSorted(),
    )
    expect(types).not.toMatch(/\b(?:mergeSettings|readConfigFile|SettingFlag|shownSource)\b/)
  })

  it('points at no source map', async () => {
    const folder = join(consumer.folder, 'node_modules/restable/dist/bundle')
    const names = (await readdir(folder)).filter((name) => /\.c?js$/.test(name))
    expect(names).toContain('library.cjs')
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    expect(names.filter((_, at) => texts[at]?.includes('sourceMappingURL'))).toEqual([])
  })

  it('is in strict mode, as its sources are', async () => {
    const source = "console.log(Object.hasOwn(require('restable').start, 'caller'))"
    expect((await consumer.runFile('strict.cjs', source)).stdout).toBe('false\n')
  })

  it('is one copy, imported or required', async () => {
    const source = [
      "import * as imported from 'restable'",
      "import { createRequire } from 'node:module'",
      "const required = createRequire(import.meta.url)('restable')",
      'const names = Object.keys(imported)',
      'console.log(names.length > 20, names.filter((name) => imported[name] !== required[name]))',
    ]
    expect((await consumer.runFile('both.mjs', source.join('\n'))).stdout).toBe('true []\n')
  })
})

describe('what npm installs', () => {
  const installed = (path = '') => join(consumer.folder, 'node_modules', path)

  it('is restable alone', async () => {
    expect((await readdir(installed())).filter((name) => !name.startsWith('.'))).toEqual(['restable'])
  })

  it('takes at most 15 MB', async () => {
    const files = await readdir(installed(), { recursive: true, withFileTypes: true })
    const sizes = files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(bytes).toBeLessThanOrEqual(15_000_000)
  })

  it('is enough for what is loaded only when it is needed', async () => {
    const { stdout, stderr } = await consumer.runFile('everything.mjs', EVERYTHING)
    expect(JSON.parse(stdout)).toEqual({
      invalid: 422,
      registered: 201,
      listed: 200,
      like: [{ id: 1, title: 'a-b' }],
      chained: 1,
    })
    expect(stderr).toBe('')
  })
})

describe('a config in TypeScript', { timeout: 60_000 }, () => {
  const CONFIG =
    "import { defineConfig } from 'restable'\nexport default defineConfig({ source: 'typed.json' })\n"

  it('is found, and tells the command what to serve', async () => {
    await writeFile(join(consumer.folder, 'typed.json'), '{"notes":[{"id":1}]}')
    await writeFile(join(consumer.folder, 'restable.config.ts'), CONFIG)
    const { stdout, stderr } = await consumer.runCommand('restable', 'types')
    await rm(join(consumer.folder, 'restable.config.ts'))
    expect(stdout).toContain('notes: ')
    expect(stderr).toBe('')
  })

  it('does not compile with a key that is no setting', async () => {
    const wrong = CONFIG.replace('source', 'sauce')
    const complaints = await (await typedConsumer()).checkTypes({
      'right.config.mts': CONFIG,
      'wrong.config.mts': wrong,
    })
    expect(complaints).toMatch(/^wrong\.config\.mts\(2,\d+\): error TS2353: .*'sauce' does not exist/)
    expect(complaints).not.toContain('right')
  })
})

describe.each(['restable', 'json-server'])('the installed command %s', { timeout: 60_000 }, (name) => {
  it('reports its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    const { stdout, stderr } = await consumer.runCommand(name, '--version')
    expect(stdout).toContain(version)
    expect(stderr).toBe('')
  })

  it('says what to install for a database', async () => {
    const failure = consumer.runCommand(name, 'postgres://me:s3cret@localhost/db')
    const stderr = 'source: PostgreSQL needs the package pg. Run npm install pg.\n'
    await expect(failure).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  })

  it('serves a file', async () => {
    await writeFile(join(consumer.folder, 'db.json'), '{"posts":[{"id":1,"title":"hello"}]}')
    const child = spawn(join(consumer.folder, 'node_modules/.bin', name), ['db.json', '--port', '0'], {
      cwd: consumer.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let url: string | undefined
      for await (const line of createInterface(child.stdout)) {
        url = /https?:\/\/[\w.]+:\d+/.exec(line)?.[0]
        if (url) break
      }
      const answer = await fetch(`${url}/posts/1`)
      expect([answer.status, await answer.json()]).toEqual([200, { id: 1, title: 'hello' }])
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  })
})

describe('the installed module', { timeout: 90_000 }, () => {
  it.each([
    ['import', 'names.mjs', "import * as all from 'restable'"],
    ['require', 'names.cjs', "const all = require('restable')"],
  ])('gives all names and the default to %s, and Node warns of nothing', async (_, file, head) => {
    const tail = `console.log(JSON.stringify([${JSON.stringify(NAMES)}.filter((name) => all[name]), Object.keys(all.default)]))`
    const { stdout, stderr } = await consumer.runFile(file, `${head}\n${tail}\n`)
    expect(JSON.parse(stdout)).toEqual([NAMES, expect.arrayContaining(NAMES)])
    expect(stderr).toBe('')
  })

  it('also has the internal paths of json-server, which some programs use', async () => {
    const kinds = {
      'restable/lib/server': 'object',
      'restable/lib/server/index.js': 'object',
      'restable/lib/server/router': 'function',
      'restable/lib/server/defaults.js': 'function',
      'restable/lib/server/rewriter': 'function',
      'restable/lib/server/body-parser': 'object',
      'restable/lib/cli/run': 'function',
      'restable/package.json': 'object',
    }
    const source = `
      const kinds = ${JSON.stringify(Object.keys(kinds))}.map((path) => [path, typeof require(path)])
      console.log(JSON.stringify(Object.fromEntries(kinds)))
    `
    const { stdout, stderr } = await consumer.runFile('inner.cjs', source)
    expect([JSON.parse(stdout), stderr]).toEqual([kinds, ''])
  })

  it.each([
    ['import', 'serve.mjs', `import { start } from 'restable'\n${ROUND_TRIP}`],
    [
      'require',
      'serve.cjs',
      `const { start } = require('restable')\nasync function main() {${ROUND_TRIP}}\nmain()\n`,
    ],
  ])('serves an object to a program that got it by %s', async (_, file, source) => {
    expect(await consumer.runFile(file, source)).toEqual({ stdout: '200 {"id":1}\n', stderr: '' })
  })

  it('has types for import and for require', async () => {
    const imported = "import restable, { create, defaults, router, start } from 'restable'"
    const required =
      "import restable = require('restable')\nconst { create, defaults, router, start } = restable"
    const files = { 'types.mts': program(imported), 'types.cts': program(required) }
    expect(await (await typedConsumer()).checkTypes(files)).toBe('')
  })
})

/** What compiles, and what must not. */
const program = (head: string) => `${head}
  const app = create()
  app.use(defaults())
  app.use(router({ posts: [] }))
  app.get('/here', (req, res) => { res.status(200).json(req.path.length) })
  app.use(restable.bodyParser)
  app.post('/there', (req, _res, next) => { req.body ? next() : next(new Error(req.get('host'))) })
  const { db } = restable.router({ posts: [] })
  app.db = db
  export const title: Promise<unknown> = db.get('posts').insert({ title: 'a' }).write().then((post) => post.title)
  export const views: number | undefined = db.get<{ views: number }[]>('posts').find({ views: 1 }).value()?.views
  restable.router({})
  start({ middlewares: [(req, res, next) => { req.query.x ? res.sendStatus(404) : next() }] })
  export async function port(): Promise<number> { return (await start()).port }
  // @ts-expect-error: a port is a number, which only real types can tell.
  export async function wrong(): Promise<string> { return (await start()).port }
  // @ts-expect-error: likewise there is no such method.
  app.nosuch()
`

describe.each([
  ['without the types of Express', []],
  ['with the types of Express 5', ['@types/express@5.0.0']],
  ['with the types of Express 4', ['@types/express@4.17.21']],
])('with TypeScript 5.4, which checks the types of libraries too, %s', { timeout: 180_000 }, (_, types) => {
  const IMPORTED = `import restable, { create, defaults, router, start } from 'restable'
    import type { Paths } from './api.js'
    export const posts: Paths['/posts']['GET']['data'] = []
  `
  const REQUIRED = `import restable = require('restable')
    import type { StartOptions } from 'restable'
    import { StorageError } from 'restable'
    import type { Paths } from './api.js'
    const { create, defaults, router, start } = restable
    export const options: StartOptions & restable.StartOptions = {}
    export const codeOf = (error: StorageError): string => (error instanceof StorageError ? error.code : '')
    export const served = restable.default.router({}).db
    export const post: Paths['/posts']['POST'] = { body: { title: 'a' }, data: { id: 1, title: 'a' } }
  `
  const INNER = `import route = require('restable/lib/server/router')
    export const { db } = route({})
  `

  let older: Consumer
  beforeAll(async () => {
    // The types of Node from when that compiler was new: those of today need a newer one.
    older = await createConsumer({ packages: ['typescript@5.4.5', '@types/node@20.17.10', ...types] })
    await writeFile(join(older.folder, 'db.json'), '{"posts":[{"id":1,"title":"hello"}]}')
    await older.runCommand('restable', 'types', 'db.json', '--out', 'api.d.ts')
  }, 180_000)
  afterAll(() => older?.remove())

  it.each<[string, Record<string, string>, readonly string[]]>([
    [
      'modules of both kinds',
      { 'types.mts': program(IMPORTED), 'types.cts': program(REQUIRED), 'inner.cts': INNER },
      ['--module', 'nodenext'],
    ],
    [
      'CommonJS as it was before there were both, for the engines that tsc --init names',
      { 'types.ts': program(REQUIRED) },
      ['--module', 'commonjs', '--moduleResolution', 'node10', '--esModuleInterop', '--target', 'es2016'],
    ],
  ])('%s compile', async (_, files, flags) => {
    expect(await older.checkTypes(files, { compiler: 'installed', flags })).toBe('')
  })
})
