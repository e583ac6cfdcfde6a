import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, Folder, printed, withoutHints } from '../../support/http/watched.ts'

const OLD = { posts: [{ id: 1, title: 'old' }] }
const NEW = { posts: [{ id: 1, title: 'new' }], comments: [] }

let folder: Folder
let base: { source: string; watch: boolean }

beforeEach(async () => {
  folder = await Folder.create()
  base = { source: await folder.write('db.json', OLD), watch: true }
})

afterEach(() => folder.remove())

/** The schema of a list of posts in an OpenAPI document. */
const listIn = ({ paths }: { paths: Record<string, unknown> }): { properties?: object } =>
  Object(paths['/posts']).get.responses[200].content['application/json'].schema

describe('a config file that changes', () => {
  const post = (url: string, headers = {}) => fetch(`${url}/posts`, { method: 'POST', headers })

  it('applies its layers, rules, files and data without a restart', async () => {
    await folder.write('config.json', base)
    const { server, get, lines } = await folder.serveConfig('config.json')
    await folder.write('config.json', { ...base, middlewares: ['api-key'] })
    await eventually(async () => expect((await post(server.url)).status).toBe(401))
    expect((await post(server.url, { 'x-api-key': 'csharp-client-key-001' })).status).toBe(201)
    expect(server.config.middlewares).toEqual(['api-key'])

    const other = await folder.write('other.json', NEW)
    const routes = await folder.write('routes.json', { '/api/*': '/$1' })
    await folder.replace('config.json', { source: other, routes, watch: true })
    await eventually(async () => expect(await get('/api/db')).toEqual(NEW))
    expect(server.db.getState()).toEqual(NEW)
    // Whatever the new config names is watched, too.
    await folder.write('routes.json', { '/v2/*': '/$1' })
    await eventually(async () => expect(await get('/v2/db')).toEqual(NEW))
    await folder.write('other.json', OLD)
    await eventually(async () => expect(await get('/db')).toEqual(OLD))
    await printed(lines, /other\.json changed, reloaded/)
  })

  it('applies another shape to lists, errors, sessions and documents, whatever was cached before', async () => {
    const named = { 'X-Mock-Session': 'one' }
    const all = async (url: string) => {
      const read = async (path: string, headers = {}) =>
        JSON.parse(await (await fetch(url + path, { headers })).text())
      return [
        ...[await read('/posts'), await read('/posts')],
        ...[
          await read('/posts', named),
          await read('/posts/9'),
          await read('/posts', { Prefer: 'code=503' }),
        ],
        Object.keys(listIn(await read('/__openapi')).properties ?? {}),
      ]
    }
    const [rows, key] = [OLD.posts, { error: { code: '$code' } }]
    await folder.write('config.json', { ...base, shape: { list: { a: '$rows' } } })
    const { server } = await folder.serveConfig('config.json')
    await all(server.url)
    await folder.write('config.json', { ...base, shape: { list: { total: '$total', b: '$rows' }, ...key } })
    const shown = { total: 1, b: rows }
    const errors = [{ code: 'NOT_FOUND' }, { code: 'SIMULATED' }]
    await eventually(async () =>
      expect(await all(server.url)).toEqual([shown, shown, shown, ...errors, ['total', 'b']]),
    )
    await folder.write('config.json', base)
    await eventually(async () => expect((await all(server.url)).slice(0, 4)).toEqual([rows, rows, rows, {}]))
  })

  it.each([
    ['{ "port": "3000" }', /config\.json: "port" must be a whole number/],
    ['{ "prot": 3000 }', /config\.json: .*prot/],
    ['{ "source": "nothing.txt" }', /config\.json: source: .* is not a data file/],
    ['{ "source": "DB", "rateLimit": { "limit": 0 }, "middlewares": ["rate-limit"] }', /limit/],
    [
      '{ "source": "DB", "jwt": { "expiresIn": "3600" }, "middlewares": ["jwt"] }',
      /config\.json: jwt\.expiresIn/,
    ],
    ['{ "source": ', /config\.json is empty or half-written/],
  ])('into %s changes nothing and says why', async (wrong, message) => {
    const good = { ...base, middlewares: ['rate-limit'] }
    await folder.write('config.json', good)
    const { get, lines } = await folder.serveConfig('config.json')
    await folder.write('config.json', wrong.replace('DB', base.source))
    expect(await printed(lines, message)).toBe(1)
    expect(await get('/db')).toEqual(OLD)
    await folder.write('config.json', good)
    await printed(lines, /config\.json changed, reloaded/)
    expect(lines).toHaveLength(2)
  })

  it('and cannot be used does not block anything else', async () => {
    const routes = await folder.write('routes.json', { '/a/*': '/$1' })
    await folder.write('config.json', { ...base, routes })
    const { get, lines } = await folder.serveConfig('config.json')
    await folder.write('config.json', { ...base, routes, middlewares: ['nowhere.cjs'] })
    await printed(lines, /there is no file "nowhere\.cjs"/)
    await folder.write('routes.json', { '/b/*': '/$1' })
    await eventually(async () => expect(await get('/b/posts')).toEqual(OLD.posts))
    await printed(lines, /routes\.json changed, reloaded/)
    expect(withoutHints(lines)).toHaveLength(2)
  })

  it('and names a file that is still missing is applied when that file comes', async () => {
    await folder.write('config.json', base)
    const { server, lines } = await folder.serveConfig('config.json')
    await folder.write('config.json', { ...base, middlewares: [folder.file('late.cjs')] })
    await printed(lines, /middlewares: there is no file/)
    await folder.write('late.cjs', "module.exports = (q, s, next) => { s.set('x-late', 'here'); next() }")
    await eventually(async () => {
      expect((await fetch(`${server.url}/posts`)).headers.get('x-late')).toBe('here')
    })
  })

  it('cannot move the listener, and says so; flags still override it', async () => {
    await folder.write('config.json', { ...base, port: 0 })
    const { server, get, lines } = await folder.serveConfig('config.json', { delay: 0 })
    await folder.write('config.json', { ...base, port: 4711, host: '0.0.0.0', readOnly: true, delay: 9000 })
    await printed(lines, /config\.json: port, host will change when the server restarts\.$/)
    expect(lines[0]).toMatch(/config\.json changed, reloaded\.$/)
    expect((await post(server.url)).status).toBe(403)
    expect(await get('/db')).toEqual(OLD)
    expect(server.config).toMatchObject({ port: 0, host: 'localhost', readOnly: true, delay: 0 })
  })

  it('can turn watching off', async () => {
    await folder.write('config.json', base)
    const ended = await folder.serveConfig('config.json')
    const other = await folder.serve(base)
    await folder.write('config.json', { ...base, watch: false })
    await printed(ended.lines, /turned watching off/)
    await folder.write('db.json', NEW)
    await printed(other.lines, /reloaded/)
    expect(await ended.get('/db')).toEqual(OLD)
  })

  it('can silence the server', async () => {
    await folder.write('config.json', base)
    const { get, lines } = await folder.serveConfig('config.json')
    await folder.write('config.json', { ...base, quiet: true, source: await folder.write('o.json', NEW) })
    await eventually(async () => expect(await get('/db')).toEqual(NEW))
    expect(lines).toEqual([])
  })

  it("may be package.json, whose other changes are nobody's business", async () => {
    await folder.write('package.json', { name: 'x', restable: base })
    const { server, lines } = await folder.serveConfig('package.json')
    await folder.write('package.json', { name: 'y', restable: base })
    await folder.write('package.json', { name: 'y', restable: { ...base, prot: 1 } })
    await printed(lines, /package\.json, restable: there is no setting "prot"/)
    await folder.write('package.json', { name: 'y' })
    await printed(lines, /package\.json: it has no "restable" key/)
    await folder.write('package.json', { name: 'z', restable: { ...base, readOnly: true, port: 4711 } })
    await eventually(async () => expect((await post(server.url)).status).toBe(403))
    await printed(lines, /package\.json, restable: port will change when the server restarts/)
    expect(lines.filter((line) => /changed, reloaded/.test(line))).toHaveLength(1)
  })

  it('keeps counters, and tokens signed with a random secret', async () => {
    const layers = ['jwt', 'rate-limit']
    await folder.write('config.json', { ...base, middlewares: layers })
    const { server, post, lines } = await folder.serveConfig('config.json')
    const login = await post('/login', { email: 'a@b.c', password: 'x' })
    const { token } = (await login.json()) as { token: string }
    const remaining = async () => (await fetch(`${server.url}/posts`)).headers.get('x-ratelimit-remaining')
    // A login counts, too.
    expect(await remaining()).toBe('8')
    await folder.write('config.json', { ...base, middlewares: layers, noGzip: true })
    await printed(lines, /config\.json changed, reloaded/)
    expect(await remaining()).toBe('7')
    const authorization = `Bearer ${token}`
    const write = await fetch(`${server.url}/posts`, { method: 'POST', headers: { authorization } })
    expect(write.status).toBe(201)
    expect(lines.filter((line) => /secret/.test(line))).toHaveLength(1)
    const source = await folder.write('other.json', NEW)
    await folder.write('config.json', { ...base, source, middlewares: layers })
    await eventually(() => expect(lines.filter((line) => /config\.json changed/.test(line))).toHaveLength(2))
    expect(await remaining()).toBe('6')
    await folder.write('config.json', { ...base, middlewares: layers, rateLimit: { limit: 5 } })
    await eventually(async () => {
      expect((await fetch(`${server.url}/posts`)).headers.get('x-ratelimit-limit')).toBe('5')
    })
  })
})
