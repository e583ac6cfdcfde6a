import { execFileSync } from 'node:child_process'
import { appendFile, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endLaunched, launch } from '../../support/child/launch.ts'
import { eventually, Folder, printed, type Watched, withoutHints } from '../../support/http/watched.ts'

const OLD = { posts: [{ id: 1, title: 'old' }] }
const NEW = { posts: [{ id: 1, title: 'new' }], comments: [] }

let folder: Folder

beforeEach(async () => {
  folder = await Folder.createForBuilt()
  await folder.write('db.json', OLD)
})

afterEach(async () => {
  endLaunched()
  await folder.remove()
})

const serveData = (): Promise<Watched> => folder.serve({ source: folder.file('db.json') })
const says = (name: string, text: string) =>
  `module.exports = (req, res, next) => { res.set('x-${name}', '${text}'); next() }`

describe('a data file that changes', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['in place', () => folder.write('db.json', NEW)],
    ['by renaming', () => folder.replace('db.json', NEW)],
    [
      'after its old version was moved away',
      async () => {
        await rename(folder.file('db.json'), folder.file('db.json~'))
        await folder.write('db.json', NEW)
      },
    ],
    [
      'after it was deleted',
      async () => {
        await unlink(folder.file('db.json'))
        await folder.write('db.json', NEW)
      },
    ],
    ['with a byte order mark', () => folder.write('db.json', `\uFEFF${JSON.stringify(NEW)}`)],
  ])('%s is served, and one line says so', async (_, change) => {
    const { get, lines } = await serveData()
    await change()
    await eventually(async () => expect(await get('/db')).toEqual(NEW))
    await printed(lines, /reloaded/)
    expect(lines).toEqual([`${folder.file('db.json')} changed, reloaded.`])
  })

  it('together with its folder is served', async () => {
    await folder.write('data/db.json', OLD)
    const { get } = await folder.serve({ source: folder.file('data/db.json') })
    await rename(folder.file('data'), folder.file('before'))
    await folder.write('data/db.json', NEW)
    await eventually(async () => expect(await get('/db')).toEqual(NEW))
    await folder.replace('data/db.json', OLD)
    await eventually(async () => expect(await get('/db')).toEqual(OLD))
  })

  it('in a folder is served, and so are files that come, and none that go', async () => {
    await folder.write('data/posts.json', OLD.posts)
    const { get, lines } = await folder.serve({ source: folder.file('data') })
    expect(await get('/db')).toEqual(OLD)
    await folder.write('data/users.csv', 'id\n1\n')
    await eventually(async () => expect(await get('/db')).toEqual({ ...OLD, users: [{ id: 1 }] }))
    await folder.write('data/users.csv', 'id\n2\n')
    await eventually(async () => expect(await get('/users')).toEqual([{ id: 2 }]))
    await printed(lines, /data(?:.users\.csv)? changed, reloaded/)
    await unlink(folder.file('data/posts.json'))
    await eventually(async () => expect(await get('/db')).toEqual({ users: [{ id: 2 }] }))
  })

  it('in a folder and cannot be read is said, and what the others hold is served', async () => {
    await folder.write('data/posts.json', OLD.posts)
    await folder.write('data/users.csv', 'id\n1\n')
    const { get, lines } = await folder.serve({ source: folder.file('data') })
    await folder.write('data/posts.json', '[{ "id": x }]')
    await folder.write('data/users.csv', 'id\n2\n')
    await eventually(async () => expect(await get('/db')).toEqual({ ...OLD, users: [{ id: 2 }] }))
    await printed(lines, /Not reloaded, the old version stays in use: posts\.json is not valid JSON/)
    await folder.write('data/posts.json', NEW.posts)
    await eventually(async () => expect(await get('/posts')).toEqual(NEW.posts))
  })

  it('behind a symbolic link is served, and so is a new target of the link', async () => {
    await folder.write('far/real.json', OLD)
    await symlink(folder.file('far/real.json'), folder.file('link.json'))
    const { get } = await folder.serve({ source: folder.file('link.json') })
    await folder.write('far/real.json', NEW)
    await eventually(async () => expect(await get('/db')).toEqual(NEW))
    await symlink(folder.file('db.json'), folder.file('link.json.new'))
    await rename(folder.file('link.json.new'), folder.file('link.json'))
    await eventually(async () => expect(await get('/db')).toEqual(OLD))
  })

  it('in two steps keeps the old data, says so once, and is served once complete', async () => {
    const routes = await folder.write('routes.json', {})
    const { get, lines } = await folder.serve({ source: folder.file('db.json'), routes })
    const text = JSON.stringify(NEW)
    await writeFile(folder.file('db.json'), '')
    await printed(lines, /half-written/)
    for (const [n, part] of [text.slice(0, 9), text.slice(9, 21)].entries()) {
      await appendFile(folder.file('db.json'), part)
      // Reported later than the part before it would be.
      await folder.write('routes.json', { [`/n${n}`]: '/' })
      await eventually(() => expect(lines).toHaveLength(n + 2))
      expect(await get('/db')).toEqual(OLD)
    }
    await appendFile(folder.file('db.json'), text.slice(21))
    await eventually(async () => expect(await get('/db')).toEqual(NEW))
    await printed(lines, /db\.json changed, reloaded\.$/)
    expect(lines).toEqual([
      `Not reloaded, the old version stays in use: ${folder.file('db.json')} is empty or half-written.`,
      `${routes} changed, reloaded.`,
      `${routes} changed, reloaded.`,
      `${folder.file('db.json')} changed, reloaded.`,
    ])
  })

  it.each([
    ['[]', /db\.json holds an array/],
    ['null', /db\.json holds null/],
    ['"text"', /db\.json holds a string/],
    ['{ "posts": 7 }', /db\.json has a number under "posts"/],
    ['no JSON at all!', /db\.json is not valid JSON: expected a value at line 1, column 1/],
    ['{ "posts": [,] }', /db\.json is not valid JSON: expected a value or "\]" at line 1, column 13/],
  ])('into %s keeps the old data until it is fixed', async (wrong, message) => {
    const { get, lines } = await serveData()
    await folder.write('db.json', wrong)
    expect(await printed(lines, message)).toBe(1)
    expect(await get('/db')).toEqual(OLD)
    await folder.write('db.json', NEW)
    await eventually(async () => expect(await get('/db')).toEqual(NEW))
  })

  it('by vanishing is still served, and the next write brings it back', async () => {
    const { get, post, lines } = await serveData()
    await unlink(folder.file('db.json'))
    await printed(lines, /db\.json is gone/)
    expect(await get('/db')).toEqual(OLD)
    expect((await post('/posts', { title: 'more' })).status).toBe(201)
    expect(JSON.parse(await readFile(folder.file('db.json'), 'utf8'))).toEqual(await get('/db'))
    await folder.write('db.json', NEW)
    await printed(lines, /changed, reloaded/)
    expect(await get('/db')).toEqual(NEW)
    expect(lines).toHaveLength(2)
  })

  it('on another server that shares it is soon seen here', async () => {
    const [one, two] = await Promise.all([serveData(), serveData()])
    expect((await one.post('/posts', { title: 'from one' })).status).toBe(201)
    await eventually(async () => expect(await two.get('/posts/2')).toEqual({ id: 2, title: 'from one' }))
    await printed(two.lines, /changed, reloaded/)
    expect(one.lines).toEqual([])
  })

  it.runIf(canMount())('on the other side of a mount of its own is served, and can be written', async () => {
    const inside = await folder.write('inside/db.json', '')
    execFileSync('mount', ['--bind', folder.file('db.json'), inside])
    try {
      const { get, post, lines } = await folder.serve({ source: inside })
      await folder.write('db.json', NEW)
      await eventually(async () => expect(await get('/db')).toEqual(NEW))
      expect((await post('/posts', { title: 'through' })).status).toBe(201)
      expect(JSON.parse(await readFile(folder.file('db.json'), 'utf8'))).toEqual(await get('/db'))
      await folder.write('db.json', OLD)
      await eventually(async () => expect(await get('/db')).toEqual(OLD))
      await eventually(() => expect(lines).toHaveLength(2))
    } finally {
      execFileSync('umount', ['--lazy', inside])
    }
  })
})

describe("the server's own writes", () => {
  it('do not count as changes: 200 concurrent ones are all there, and nothing is reloaded', async () => {
    const { get, post, lines } = await serveData()
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, number) => post('/posts', { title: `${number}` })),
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect(await get('/posts')).toHaveLength(201)
    expect(JSON.parse(await readFile(folder.file('db.json'), 'utf8')).posts).toHaveLength(201)
    // A change that is one is reported after all the others would have been.
    await folder.write('db.json', NEW)
    await printed(lines, /reloaded/)
    expect(lines).toHaveLength(1)
  })
})

describe('data that a program computes', () => {
  it.each([
    [
      'db.cjs',
      'lib.cjs',
      (n: number) => `module.exports = ${n}`,
      (t: string) => `const id = require('./lib.cjs'); module.exports = () => ({ ${t}: [{ id }] })`,
    ],
    [
      'db.mjs',
      'lib.mjs',
      (n: number) => `export default ${n}`,
      (t: string) => `import id from './lib.mjs'; export default { ${t}: [{ id }] }`,
    ],
    [
      'db.mjs',
      'lib.cjs',
      (n: number) => `module.exports = ${n}`,
      (t: string) => `import id from './lib.cjs'; export default { ${t}: [{ id }] }`,
    ],
  ])('is computed again when %s or its %s changes', async (name, lib, number, source) => {
    await folder.write(lib, number(1))
    await folder.write(name, source('posts'))
    const { get, post, lines } = await folder.serve({ source: folder.file(name) })
    await post('/posts', { title: 'lost by the reload' })
    await folder.write(lib, number(2))
    await eventually(async () => expect(await get('/db')).toEqual({ posts: [{ id: 2 }] }))
    await folder.write(name, source('notes'))
    await eventually(async () => expect(await get('/db')).toEqual({ notes: [{ id: 2 }] }))
    await folder.write(name, 'this is no program')
    await printed(
      lines,
      /^Not reloaded, the old version stays in use: source: .* cannot be loaded.*: SyntaxError/,
    )
    expect(await get('/db')).toEqual({ notes: [{ id: 2 }] })
    await folder.write(lib, number(3))
    await folder.write(name, source('posts'))
    await eventually(async () => expect(await get('/db')).toEqual({ posts: [{ id: 3 }] }))
  })
})

describe('rewrite rules that change', () => {
  it('apply from then on; invalid ones leave the old rules', async () => {
    const routes = await folder.write('routes.json', { '/api/*': '/$1' })
    const { server, get, lines } = await folder.serve({ source: folder.file('db.json'), routes })
    expect(await get('/api/posts')).toEqual(OLD.posts)
    await folder.write('routes.json', { '/v2/*': '/$1' })
    await eventually(async () => expect(await get('/v2/posts')).toEqual(OLD.posts))
    expect(await get('/api/posts')).toEqual({})
    await folder.write('routes.json', { '/v3/*': 7 })
    await printed(
      lines,
      /the old version stays in use: .*routes\.json: Rewrite rule "\/v3\/\*": the target must be/,
    )
    expect(await get('/__rules')).toEqual({ '/v2/*': '/$1' })
    expect(server.rules).toEqual({ '/v2/*': '/$1' })
    await folder.replace('routes.json', { '/v3/*': '/$1' })
    await eventually(async () => expect(await get('/v3/posts')).toEqual(OLD.posts))
    expect(withoutHints(lines)).toHaveLength(3)
  })
})

describe('middleware files that change', () => {
  const header = async ({ server }: Watched, name: string) =>
    (await fetch(`${server.url}/posts`)).headers.get(name)

  it('replace the old ones; broken ones do not, and unchanged files are not loaded again', async () => {
    const a = await folder.write('a.cjs', says('a', 'old'))
    const b = await folder.write(
      'b.cjs',
      `let n = 0; module.exports = (q, s, next) => { s.set('x-b', ++n); next() }`,
    )
    const served = await folder.serve({ source: folder.file('db.json'), middlewares: [a, b] })
    expect(await header(served, 'x-a')).toBe('old')
    await folder.write('a.cjs', says('a', 'new'))
    await eventually(async () => expect(await header(served, 'x-a')).toBe('new'))
    const count = Number(await header(served, 'x-b'))
    await folder.write('a.cjs', 'module.exports = (')
    expect(await printed(served.lines, /a\.cjs.*SyntaxError/)).toBe(1)
    expect(await header(served, 'x-a')).toBe('new')
    await folder.write('a.cjs', 'module.exports = 7')
    expect(await printed(served.lines, /a\.cjs" exports no function/)).toBe(1)
    await folder.replace('a.cjs', says('a', 'newest'))
    await eventually(async () => expect(await header(served, 'x-a')).toBe('newest'))
    expect(Number(await header(served, 'x-b'))).toBeGreaterThan(count)
  })

  it('are loaded again when what they import does, and share it still', async () => {
    await folder.write('shared.cjs', 'module.exports = { text: "old", hits: 0 }')
    const sharing = (name: string) =>
      `const shared = require('./shared.cjs'); module.exports = (q, s, next) => { s.set('x-${name}', shared.text + ++shared.hits); next() }`
    const a = await folder.write('a.cjs', sharing('a'))
    const b = await folder.write('b.cjs', sharing('b'))
    const served = await folder.serve({ source: folder.file('db.json'), middlewares: [a, b] })
    expect(await header(served, 'x-b')).toBe('old2')
    await folder.write('shared.cjs', 'module.exports = { text: "new", hits: 0 }')
    await eventually(async () => expect(await header(served, 'x-b')).toMatch(/^new[2468]/))
  })

  it('that threw when loaded, as ES modules then always do, are used once they are fixed', async () => {
    await folder.write('package.json', { type: 'module' })
    const routes = await folder.write('routes.json', {})
    const a = await folder.write('a.js', 'export default (q, s, next) => next()')
    const served = await folder.serve({ source: folder.file('db.json'), routes, middlewares: [a] })
    await folder.write('a.js', 'throw new Error("not yet")')
    await printed(served.lines, /a\.js.*Error: not yet/)
    await folder.write('a.js', `export default (q, s, next) => { s.set('x-a', 'right'); next() }`)
    await eventually(async () => expect(await header(served, 'x-a')).toBe('right'))
  })
})

describe('requests', () => {
  it('continue while data, rules and middlewares are swapped: none fails', async () => {
    const routes = await folder.write('routes.json', { '/n0/*': '/$1' })
    const a = await folder.write('a.cjs', says('a', '0'))
    const { server, lines } = await folder.serve({ source: folder.file('db.json'), routes, middlewares: [a] })
    let isOver = false
    const statuses = new Map<number, number>()
    const client = async () => {
      while (!isOver) {
        const status = await fetch(`${server.url}/posts`).then(
          (answer) => answer.text().then(() => answer.status),
          () => 0,
        )
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const clients = [client(), client(), client(), client()]
    for (let n = 1; n <= 20; n += 1) {
      await folder.replace('db.json', { posts: [{ id: n }] })
      await folder.replace('routes.json', { [`/n${n}/*`]: '/$1' })
      await folder.replace('a.cjs', says('a', `${n}`))
      await eventually(async () => {
        const answer = await fetch(`${server.url}/n${n}/posts`)
        expect(answer.headers.get('x-a')).toBe(`${n}`)
        expect(await answer.json()).toEqual([{ id: n }])
      })
    }
    isOver = true
    await Promise.all(clients)
    expect([...statuses.keys()]).toEqual([200])
    expect(statuses.get(200)).toBeGreaterThan(40)
    expect(withoutHints(lines).filter((line) => !line.endsWith('changed, reloaded.'))).toEqual([])
  })

  it('in flight finish with the layers they started with', async () => {
    const a = await folder.write(
      'a.cjs',
      `module.exports = (q, s, next) => { s.set('x-a', 'old'); globalThis.goOnOldRequest ??= next }`,
    )
    const { server, lines } = await folder.serve({ source: folder.file('db.json'), middlewares: [a] })
    const answer = fetch(`${server.url}/posts`)
    const goOn = () => Reflect.get(globalThis, 'goOnOldRequest')
    await eventually(() => expect(goOn()).toBeTypeOf('function'))
    await folder.write('a.cjs', says('a', 'new'))
    await printed(lines, /reloaded/)
    expect((await fetch(`${server.url}/posts`)).headers.get('x-a')).toBe('new')
    goOn()()
    expect((await answer).headers.get('x-a')).toBe('old')
    expect((await answer).status).toBe(200)
    Reflect.deleteProperty(globalThis, 'goOnOldRequest')
  })
})

it('a closed server no longer watches', async () => {
  const [closed, open] = await Promise.all([serveData(), serveData()])
  await closed.server.close()
  await folder.write('db.json', NEW)
  await printed(open.lines, /reloaded/)
  expect(closed.lines).toEqual([])
})

it('the command line watches its files, and its config under its flags, and exits on its own', async () => {
  await folder.write('json-server.config.json', { source: 'db.json', port: 1 })
  const program = launch(['--watch', '--port', '0'], { cwd: folder.path })
  const url = await program.url()
  await folder.write('db.json', NEW)
  await program.printed(/^db\.json changed, reloaded\.$/m)
  expect(await (await fetch(`${url}/db`)).json()).toEqual(NEW)
  await folder.write('json-server.config.json', { source: 'db.json', middlewares: ['api-key'] })
  await program.printed(/^json-server\.config\.json changed, reloaded\.$/m)
  expect((await fetch(`${url}/db`)).status).toBe(401)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
})

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
