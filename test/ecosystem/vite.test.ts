import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, createLogger, createServer, type InlineConfig, preview } from 'vite'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import restable, { type VitePluginOptions } from '../../src/doors/vite.ts'
import { closeBrowser, discardTab, takeTab } from '../browser/parts/tabs.ts'
import { folderOf } from '../support/folder.ts'
import { ADA, BOB, MEMBERS } from '../support/http/members.ts'
import { json } from '../support/http/serving.ts'
import { CHROMIUM } from '../support/page/browser.ts'

const APP = `
  const posts = await (await fetch('/api/posts')).json()
  document.body.textContent = posts.map(({ title }) => title).join()
  new EventSource('/api/__events').addEventListener('change', () => location.reload())
`

/** A project of Vite with data in a file, and what its logger was told. */
async function project(options: VitePluginOptions = {}) {
  const root = folderOf({
    'db.json': MEMBERS,
    'index.html': '<body></body><script type="module" src="/api.js"></script>',
  })
  const source = join(root, 'db.json')
  // Connect takes this for a path below /api.
  await writeFile(join(root, 'api.js'), APP)
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const customLogger = { ...createLogger('silent'), info: note, error: note }
  const config: InlineConfig = {
    root,
    configFile: false,
    customLogger,
    plugins: [restable({ source, ...options })],
    server: { port: 0, host: '127.0.0.1', ws: false },
    preview: { port: 0, host: '127.0.0.1' },
    build: { target: 'esnext' },
  }
  const removed = () => rm(root, { recursive: true, force: true })
  return { config, source, lines, removed }
}

async function served(kind: 'dev server' | 'preview', options: VitePluginOptions = {}) {
  const { config, source, lines, removed } = await project(options)
  if (kind === 'preview') await build({ ...config, plugins: [] })
  const server = kind === 'preview' ? await preview(config) : await (await createServer(config)).listen()
  onTestFinished(async () => {
    await server.close()
    await removed()
  })
  const url = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
  return { server, url, source, lines }
}

async function openTab(url: string) {
  const tab = await takeTab({}, url)
  onTestFinished(() => discardTab(tab))
  return tab.page
}

describe.each(['dev server', 'preview'] as const)('restable/vite in the %s', (kind) => {
  it('serves the API on the origin of the app, with its path in URLs', async () => {
    const { url, source, lines } = await served(kind, { middlewares: ['logger'] })
    const created = await fetch(`${url}/api/posts`, json('POST', { title: 'two' }))
    expect([created.status, created.headers.get('location')]).toEqual([201, `${url}/api/posts/2`])
    const { headers } = await fetch(`${url}/api/posts?_page=1&_limit=1`)
    expect(headers.get('link')).toContain(`<${url}/api/posts?_page=2&_limit=1>; rel="next"`)
    expect(JSON.parse(await readFile(source, 'utf8')).posts).toHaveLength(2)
    await expect.poll(() => lines.join('\n')).toContain('POST')
    const missing = await fetch(`${url}/api/pots`)
    expect([missing.status, await missing.json()]).toEqual([404, {}])
    expect(await (await fetch(`${url}/other`)).text()).toContain('<body>')
  })

  it('takes a base without slashes, and serves edits of the data file without a setting', async () => {
    const { url, source } = await served(kind, { base: 'api' })
    const posts = async () => (await fetch(`${url}/api/posts`)).json()
    expect(await posts()).toEqual(MEMBERS.posts)
    await writeFile(source, JSON.stringify({ ...MEMBERS, posts: [{ id: 7 }] }))
    await expect.poll(posts, { timeout: 5000 }).toEqual([{ id: 7 }])
  })

  it('says where the API is, after the addresses of the app', async () => {
    const { server, url, lines } = await served(kind, { base: '/mock/' })
    // No warning of a layer that is off.
    expect(lines.join()).not.toContain('accounts')
    server.printUrls()
    const [app = '', api = ''] = lines.filter((line) => line.includes('➜'))
    expect([app.includes('Local'), api]).toEqual([true, `  ➜  API:     ${url}/mock/`])
    server.resolvedUrls = { local: [], network: ['http://192.0.2.1:5173/'] }
    server.printUrls()
    expect(lines.at(-1)).toBe('  ➜  API:     http://192.0.2.1:5173/mock/')
  })

  it.skipIf(CHROMIUM === undefined)('shows data in the app and on the page, live', async () => {
    const { url } = await served(kind)
    const page = await openTab(url)
    await page.goto(url)
    await page.getByText('one', { exact: true }).waitFor()
    await fetch(`${url}/api/posts/1`, json('PATCH', { title: 'changed' }))
    await page.getByText('changed', { exact: true }).waitFor()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${url}/api`)
    await page.getByText('posts').first().waitFor()
    expect([page.url().split('#')[0], faults]).toEqual([`${url}/api/`, []])
  })

  it('logs users in', async () => {
    const { url } = await served(kind, { base: '/v1/', middlewares: ['accounts'] })
    const credentials = { email: ADA.email, password: 'password-of-ada' }
    const login = await fetch(`${url}/v1/login`, json('POST', credentials))
    const { accessToken }: { accessToken?: string } = Object(await login.json())
    const headers = { authorization: `Bearer ${accessToken}` }
    expect(await (await fetch(`${url}/v1/me`, { headers })).json()).toMatchObject({ email: ADA.email })
    expect((await fetch(`${url}/v1/me`)).status).toBe(401)
  })
})

describe('restable/vite', () => {
  afterAll(closeBrowser)

  it('starts again with Vite, over the same file, and ends with it', async () => {
    const { config, source, removed } = await project()
    const server = await createServer(config)
    await server.listen()
    const url = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
    const stream = await fetch(`${url}/api/__events`)
    await fetch(`${url}/api/posts`, json('POST', { title: 'two' }))
    await server.restart()
    const again = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
    const events = await fetch(`${again}/api/__events`)
    expect((await fetch(`${again}/api/posts`, json('POST', { title: 'three' }))).status).toBe(201)
    await stream.text().catch(() => {})
    await server.close()
    expect(await events.text()).toContain('event: change')
    await expect(fetch(`${again}/api/posts`)).rejects.toThrow()
    expect(JSON.parse(await readFile(source, 'utf8')).posts).toHaveLength(3)
    await removed()
  })

  it('lets go of the data when Vite starts again: nothing is lost under load, and nothing reloaded', async () => {
    const { config, source, lines, removed } = await project()
    const server = await createServer(config)
    await server.listen()
    const url = () => `${server.resolvedUrls?.local[0]?.replace(/\/$/, '')}/api/posts`
    const post = async () => (await fetch(url(), json('POST', { title: 'x' }))).status === 201
    let acknowledged = 0
    for (let round = 1; round <= 3; round++) {
      // Vite cuts connections when it starts again.
      const sent = Array.from({ length: 5 }, () => post().catch(() => false))
      const [written] = await Promise.all([Promise.all(sent), server.restart(), server.restart()])
      expect(await post()).toBe(true)
      acknowledged += written.filter(Boolean).length + 1
    }
    await server.close()
    expect(lines.filter((line) => line.includes('reloaded'))).toEqual([])
    const stored = JSON.parse(await readFile(source, 'utf8')).posts.length - MEMBERS.posts.length
    // A response may be lost with its connection.
    expect(stored).toBeGreaterThanOrEqual(acknowledged)
    await removed()
  })

  it.each<[string, VitePluginOptions, VitePluginOptions]>([
    ['the same options, in memory', { persist: false }, { persist: false }],
    ['other options, where rows are saved', {}, { delay: 1 }],
  ])('keeps users logged in when its config is edited: %s', async (_, before, after) => {
    const options = { middlewares: ['accounts'] }
    const { config, source, lines, removed } = await project({ ...options, ...before })
    const server = await createServer(config)
    await server.listen()
    const api = () => `${server.resolvedUrls?.local[0]}api`
    const login = await fetch(`${api()}/login`, json('POST', { email: BOB.email, password: BOB.password }))
    const { accessToken, refreshToken } = Object(await login.json())
    const me = async () =>
      (await fetch(`${api()}/me`, { headers: { authorization: `Bearer ${accessToken}` } })).status
    expect(await me()).toBe(200)
    config.plugins = [restable({ source, ...options, ...after })]
    await server.restart()
    expect(await me()).toBe(200)
    expect((await fetch(`${api()}/refresh`, json('POST', { refreshToken }))).status).toBe(200)
    await server.restart()
    expect((await fetch(`${api()}/refresh`, json('POST', { refreshToken }))).status).toBe(401)
    await server.close()
    expect(lines.join()).not.toContain(accessToken)
    await removed()
  })

  it('writes the types of what is served, with all settings, and again when they change', async () => {
    const types = join(folderOf(), 'src/api.d.ts')
    const schema = { properties: { state: { enum: ['open', 'done'] } } }
    const resources = { posts: { schema, timestamps: true } }
    const { url, source } = await served('dev server', { types, resources, foreignKeySuffix: '_id' })
    const written = () => readFile(types, 'utf8').catch(String)
    expect(await written()).toMatch(/interface Post {[^}]*state\?: "open" \| "done"[^}]*createdAt/s)
    await fetch(`${url}/api/posts`, json('POST', { title: 'two', stars: 5 }))
    await expect.poll(written, { timeout: 5000 }).toContain('stars?: number')
    await writeFile(source, JSON.stringify({ tickets: [{ id: 1, title: 'x' }] }))
    await expect.poll(written, { timeout: 5000 }).toContain('interface Ticket ')
  })

  it.each<[VitePluginOptions, string]>([
    [{ port: -1 }, 'restable: "port" must be'],
    [
      { resources: { posts: { unique: ['a', 7 as never] } } },
      'restable: entry 2 of "resources.posts.unique" must be',
    ],
    [{ types: 'db.json' }, 'restable: types: "db.json" must end in .d.ts'],
    [{ source: 'nothing' }, 'restable: There is no command or file "nothing".'],
  ])('refuses a setting with a sentence, and no stack: %j', async (options, sentence) => {
    const { config, removed } = await project(options)
    const fault: unknown = await createServer(config).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Error)
    // Vite prints this.
    const { stack = '' } = Object(fault)
    expect(stack).toContain(sentence)
    expect(stack).not.toContain('\n')
    await removed()
  })

  it('stays as it is if Vite cannot start again with new options', async () => {
    const { config, source, lines, removed } = await project()
    const server = await createServer(config)
    await server.listen()
    config.plugins = [restable({ source, port: -1 })]
    await server.restart()
    expect(lines.join()).toContain('server restart failed')
    const url = `${server.resolvedUrls?.local[0]}api/posts`
    expect((await fetch(url, json('POST', {}))).status).toBe(201)
    await server.close()
    await expect(fetch(url)).rejects.toThrow()
    await removed()
  })
})
