import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfigFile } from '../../src/features/settings.ts'
import { Commands } from '../support/child/commands.ts'
import { endLaunched, type Launched, type LaunchOptions, launch } from '../support/child/launch.ts'
import { folderOf } from '../support/folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const DATA = {
  products: [{ id: 1, name: 'Desk lamp', price: 39.9, company_id: 1 }],
  companies: [{ id: 1, name: 'Bright Rooms', revenue: 10.5 }],
}

/** For what does not depend on having a process of its own. */
const commands = new Commands()
afterAll(() => commands.end())

let cwd: string

beforeEach(() => {
  cwd = folderOf({ 'db.json': DATA })
})

afterEach(async () => {
  endLaunched()
  await commands.stop()
})

function restable(args: string, options: Partial<LaunchOptions> = {}): Launched {
  return launch(args.split(' ').filter(Boolean), { cwd, ...options })
}

/** The same among other commands of one process. */
function serve(args: string, env?: Readonly<Record<string, string>>): ReturnType<Commands['serve']> {
  return commands.serve(args.split(' ').filter(Boolean), cwd, env)
}

async function stopped(server: Launched): Promise<number | null> {
  server.child.kill('SIGTERM')
  return await server.ended
}

describe('restable', () => {
  it('serves a file, prints the actual port in plain text without a terminal, and exits with 0', async () => {
    const server = restable('db.json --port 0')
    const url = await server.url()
    expect(url).toMatch(/^http:\/\/localhost:[1-9]\d*$/)
    expect(server.stdout()).toContain(`${url}/products   1`)
    expect(server.stdout()).not.toContain('\u001B')
    expect(await (await fetch(`${url}/products/1`)).json()).toEqual(DATA.products[0])
    expect(await stopped(server)).toBe(0)
    expect(server.stderr()).toBe('')
  })

  it.each([
    ['--help', /^restable \[source\] \[flags\]/],
    ['-v', /^\d+\.\d+\.\d+/],
  ])('answers %s and ends with 0', async (args, expected) => {
    const process = restable(args)
    expect(await process.ended).toBe(0)
    expect(process.stdout()).toMatch(expected)
  })

  it.each([
    ['--prot 1', 'Unknown flag --prot. Did you mean --port?'],
    ['db.json --port 0 -m throws.cjs', 'middlewares: "throws.cjs" cannot be loaded (throws.cjs, line 2)'],
  ])('says in one line what is wrong with "%s" and ends with 1', async (args, message) => {
    await writeFile(join(cwd, 'throws.cjs'), FILES['throws.cjs'])
    const process = restable(args)
    expect(await process.ended).toBe(1)
    expect(process.stderr()).toMatch(/^[^\n]+\n$/)
    expect(process.stderr()).toContain(message)
    expect(process.stdout()).toBe('')
  })

  const FILES = {
    'throws.cjs': 'const a = 1\nthrow new Error("boom")',
    'syntax.cjs': 'const a = 1\nmodule.exports = (',
    'nonsense.cjs': 'module.exports = 42',
    'fails.cjs': 'module.exports = () => {\n  return null.posts\n}',
    noext: '{}',
    'data.yaml': 'posts:\n  - id: 1\n',
    'notes.xml': '<posts/>',
    'syntax.config.mjs': 'export default {\n  port: 1,,\n}\n',
    'my.config.js': "export default { port: '1' }\n",
    'folder.json/x': '',
    'cert.pem': 'nothing',
    'routes.json': '["/a"]',
    'trail.json': '{ "posts": [], }',
    'wrong.json': '{ "port": "3000" }',
    'broken.json': '{ "port": ',
  }

  it.each([
    ['db.json', false],
    ['postgres://me@127.0.0.1:1/db', true],
  ])('loads the driver of a database only for one: %s', async (source, isLoaded) => {
    const hook =
      'export const resolve = (name, context, next) => (name === "pg" && console.error("LOADED"), next(name, context))'
    const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${hook}`)})`
    await writeFile(join(cwd, 'watch-imports.mjs'), register)
    const process = launch([source, '--port', '0'], {
      cwd,
      env: { NODE_OPTIONS: '--import ./watch-imports.mjs' },
    })
    await process.printed(/Home|cannot be reached/)
    process.child.kill()
    await process.ended
    expect(process.stderr().includes('LOADED')).toBe(isLoaded)
  })

  it.each([
    ['', 'There is nothing to serve. Name a source, such as: restable db.json'],
    ['-c nowhere.json', 'nowhere.json: there is no such file.'],
    ['-c wrong.json', 'wrong.json: "port" must be a whole number from 0 to 65535, not the string "3000".'],
    ['broken.json', 'broken.json is not valid JSON'],
    ['db.json --cert cert.pem', '"ssl.cert" needs "ssl.key" as well.'],
    ['db.jsn', 'source: "db.jsn" cannot be served. Did you mean db.json?'],
    ['db', 'source: "db" cannot be served. Did you mean db.json?'],
    ['xy.jsn', 'source: "xy.jsn" cannot be served. Did you mean xy.json?'],
    ['noext', 'source: "noext" has no extension. Add one: .json .jsonc .json5'],
    [
      'notes.xml',
      'source: "notes.xml" is not a data file (.json .jsonc .json5 .yaml .yml .csv .ndjson .jsonl), a folder, a script (.js .cjs .mjs .ts), or an http(s) or postgres URL. Convert it to one of these.',
    ],
    [
      '-c my.config.js',
      'my.config.js, line 1: "port" must be a whole number from 0 to 65535, not the string "1".',
    ],
    [
      '-c data.yaml',
      'data.yaml: .yaml is not supported. Write the same to a .json file, or export it from a .ts or .js file.',
    ],
    ['db.json -r my.config.js', 'my.config.js: .js is not supported. Write the same to a .json file.'],
    ['fodler/', 'source: there is no folder "fodler/". Check the path.'],
    ['init', 'There is no command or file "init". Name what to serve, such as: restable db.json.'],
    ['folder.json', 'source: "folder.json" is a folder. Name a file in it'],
    ['db.json more.json', 'source: there is no file "more.json".'],
    ['db.json data.js', 'start another server: restable data.js --port 3001'],
    [
      'trail.json',
      'trail.json is not valid JSON: expected a name in double quotes at line 1, column 16. Remove the comma',
    ],
    ['throws.cjs', 'source: "throws.cjs" cannot be loaded (throws.cjs, line 2): Error: boom'],
    ['syntax.cjs', 'source: "syntax.cjs" cannot be loaded (syntax.cjs, line 2): SyntaxError'],
    ['-c syntax.config.mjs', 'syntax.config.mjs cannot be loaded (syntax.config.mjs, line 2): SyntaxError'],
    ['throw.cjs', 'source: there is no file "throw.cjs". Did you mean throws.cjs?'],
    ['nowhere.cjs', 'source: there is no file "nowhere.cjs". Check the path.'],
    ['nonsense.cjs', 'nonsense.cjs holds a number where an object of collections is expected'],
    ['fails.cjs', 'source: the function that "fails.cjs" exports failed (fails.cjs, line 2): Cannot read'],
    ['localhost:3000/db.json', 'source: a URL must start with http://, https:// or postgres://.'],
    ['postgress://me:s3cret@host/db', 'source: a URL must start with http://, https:// or postgres://.'],
    ['postgres:me:s3cret@host/db', 'source: a URL must start with http://, https:// or postgres://.'],
    ['postgres://me:s3cret@host/db --no-persist', 'persist: changes to a database are always saved. Remove'],
    ['postgres://me:s3cret@host/db?shema=a', 'source: the address has "shema". Did you mean schema=team_a?'],
    [
      'postgres://me:s3cret@127.0.0.1:1/db',
      'postgres://me:***@127.0.0.1:1/db cannot be reached (ECONNREFUSED)',
    ],
    ['db.json -m throws.cjs', 'middlewares: "throws.cjs" cannot be loaded (throws.cjs, line 2): Error: boom'],
    ['db.json -m nonsense.cjs', 'middlewares: "nonsense.cjs" exports no function. Write module.exports ='],
    [
      'db.json -m api-key,jwt',
      'Separate them by spaces, or list them in the config file: --middlewares api-key jwt',
    ],
    ['db.json -r routes.json', 'routes.json: Rewrite rules must be one object'],
    ['db.json --cert cert.pem --key cert.pem', 'ssl.cert: cert.pem is not a PEM certificate'],
    ['db.json --cert no.pem --key no.pem', 'ssl.cert: cannot read no.pem (ENOENT): check the path'],
  ])('answers the mistake "%s" with one line, and no stack', async (args, message) => {
    await mkdir(join(cwd, 'folder.json'))
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(cwd, name), text)
    const given = [...args.split(' ').filter(Boolean), '--port', '0']
    const { code, stdout, stderr } = await commands.run(given, cwd)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('s3cret')
  })

  it.runIf(process.platform === 'linux')('names what the system refuses, without a stack', async () => {
    await symlink('/proc/self/mem', join(cwd, 'mem.json'))
    const server = restable('mem.json --port 0')
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toMatch(/^mem\.json cannot be opened\. [^\n]+\n$/)
  })

  it('understands "serve db.json"', async () => {
    const { url } = await serve('serve db.json --port 0')
    expect(await (await fetch(`${url}/products/1`)).json()).toEqual(DATA.products[0])
  })

  it.each([
    ['the flag', undefined, /--port \d+\)\n$/],
    [
      'the script where the project has it',
      '{ "scripts": { "start:alt": "x" } }',
      /\(npm run start:alt, or --port/,
    ],
    ['no script of another name', '{ "scripts": { "start": "x" } }', /another port \(--port \d+\)\n$/],
    ['the flag beside a broken package.json', '{ "scripts": ', /another port \(--port \d+\)\n$/],
  ])('names the port that is taken, and as the remedy %s', async (_, project, remedy) => {
    if (project !== undefined) await writeFile(join(cwd, 'package.json'), project)
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await commands.run(['db.json', '--port', String(port)], cwd)
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^Port ${port} is already in use[^\\n]+\\n$`))
    expect(stderr).toMatch(remedy)
    other.close()
  })

  it('prints nothing when quiet', async () => {
    const port = await freePort()
    const server = restable(`new.json --port ${port} --quiet --snapshots . -m jwt`)
    const status = () =>
      fetch(`http://127.0.0.1:${port}/posts`).then(
        (answer) => answer.status,
        () => 0,
      )
    await expect.poll(status, { timeout: 10_000 }).toBe(200)
    expect(await stopped(server)).toBe(0)
    expect(server.stdout() + server.stderr()).toBe('')
  })
})

describe('settings', () => {
  const OWN = { source: 'db.json', port: 0, host: '127.0.0.1' }

  it.each([
    ['restable.config.json', OWN],
    ['json-server.config.json', OWN],
    ['json-server.json', OWN],
    ['package.json', { name: 'x', restable: OWN }],
  ])('come from %s in the working directory', async (name, content) => {
    await writeFile(join(cwd, name), JSON.stringify(content))
    const { url, stdout } = await serve('')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect(stdout).not.toContain('Using the settings')
  })

  it('come from one file, which is named if there are several', async () => {
    await writeFile(join(cwd, 'restable.config.json'), JSON.stringify(OWN))
    await writeFile(join(cwd, 'json-server.json'), '{ "port": "wrong" }')
    await writeFile(join(cwd, 'package.json'), '{ "restable": { "port": "wrong" } }')
    const found = await serve('')
    expect(found.stdout).toContain(
      'Using the settings in restable.config.json, not those in: json-server.json; package.json, restable. Keep one',
    )
    await commands.stop()
    const chosen = await serve('-c restable.config.json')
    expect(chosen.stdout).not.toContain('Using the settings')
  })

  it('do not need a readable package.json', async () => {
    await writeFile(join(cwd, 'package.json'), '{ "name": ')
    const { stdout } = await serve('db.json --port 0')
    expect(stdout).not.toContain('package.json')
  })

  it('come from flags first, then the file, then PORT', async () => {
    const env = { PORT: '65536' }
    const broken = restable('db.json', { env })
    expect(await broken.ended).toBe(1)
    expect(broken.stderr()).toMatch(/^The environment variable PORT must be a whole number/)
    const free = await serve('db.json', { PORT: '0' })
    expect(free.url).not.toContain(':3000')
    await commands.stop()
    await writeFile(join(cwd, 'my.json'), '{ "port": 1, "host": "127.0.0.1", "source": "nowhere.txt" }')
    const { url } = await serve('db.json -c my.json --port 0', { PORT: '2' })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d{2,}$/)
  })
})

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s lets a request finish, keeps its change and ends with 0',
    async (signal) => {
      await writeFile(
        join(cwd, 'slow.cjs'),
        'module.exports = (q, s, next) => { console.log("seen"); setTimeout(next, 300) }',
      )
      const server = restable('db.json --port 0 -m ./slow.cjs')
      const url = await server.url()
      const answer = fetch(`${url}/products`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{ "name": "Chair" }',
      })
      await server.printed(/seen/)
      // Twice, as a terminal and npm both send it for one Ctrl+C.
      server.child.kill(signal)
      server.child.kill(signal)
      expect((await answer).status).toBe(201)
      expect(await server.ended).toBe(0)
      expect(await readFile(join(cwd, 'db.json'), 'utf8')).toContain('Chair')
    },
  )

  it('a second one ends a server that waits for a request, with 130', async () => {
    await writeFile(join(cwd, 'never.cjs'), 'module.exports = () => console.log("hanging")')
    const server = restable('db.json --port 0 -m ./never.cjs')
    const request = fetch(`${await server.url()}/products`).catch(() => undefined)
    await server.printed(/hanging/)
    const again = setInterval(() => server.child.kill('SIGINT'), 100)
    expect(await server.ended).toBe(130)
    clearInterval(again)
    await request
  })

  it('end it even if a middleware keeps a timer', async () => {
    await writeFile(
      join(cwd, 'timer.cjs'),
      'setInterval(() => {}, 1000); module.exports = (q, s, next) => next()',
    )
    const server = restable('db.json --port 0 -m ./timer.cjs')
    await server.url()
    expect(await stopped(server)).toBe(0)
  })
})

describe('s + Enter', () => {
  it('saves a snapshot, and the terminal does not keep the process alive', async () => {
    const server = restable('db.json --port 0 --snapshots .', { stdin: 'pipe' })
    await server.url()
    server.child.stdin?.write('x\ns\n')
    const [, file = ''] = await server.printed(/Saved a snapshot to (\S+)/)
    expect((await readdir(cwd)).length).toBe(2)
    expect(JSON.parse(await readFile(join(cwd, file), 'utf8'))).toEqual(DATA)
    expect(await stopped(server)).toBe(0)
  })

  it('is not needed: no input is no reason to fail', async () => {
    const server = restable('db.json --port 0 --snapshots .', { stdin: 'ignore' })
    await server.url()
    expect(await stopped(server)).toBe(0)
  })
})

it('an uncaught error ends the process and shows where it came from', async () => {
  await writeFile(
    join(cwd, 'bad.cjs'),
    'module.exports = () => setImmediate(() => { throw new Error("boom") })',
  )
  const server = restable('db.json --port 0 -m ./bad.cjs')
  await fetch(`${await server.url()}/products`).catch(() => undefined)
  expect(await server.ended).toBe(1)
  expect(server.stderr()).toMatch(/Error: boom\n\s+at .*bad\.cjs/)
})

describe('what ships', () => {
  it('is a config that is valid and names files that exist', async () => {
    const { routes = '', foreignKeySuffix } = await readConfigFile(join(root, 'json-server.config.json'))
    expect(foreignKeySuffix).toBe('_id')
    await access(join(root, routes))
  })

  it('are rewrite rules that work', async () => {
    const { url } = await serve(`db.json --port 0 --fks _id -r ${join(root, 'routes.json')}`)
    const get = async (path: string): Promise<unknown> => (await fetch(url + path)).json()
    const [product] = DATA.products
    const [company] = DATA.companies
    expect(await get('/api/v1/products/1')).toEqual(product)
    expect(await get('/public/products')).toEqual([product])
    expect(await get('/api/products/search/LAMP')).toEqual([product])
    expect(await get('/api/products/search/none')).toEqual([])
    expect(await get('/api/companies/1/full')).toEqual({ ...company, products: [product] })
    expect(await get('/api/dashboard/stats')).toEqual({ products: 1, companies: 1, totalRevenue: 10.5 })
    expect(await get('/health')).toMatchObject({ status: 'ok' })
    expect(await get('/api/v1/health')).toMatchObject({ status: 'ok' })
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
