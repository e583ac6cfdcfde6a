import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { namedBlocks } from '../../scripts/tables/example-files.ts'
import { connect, type StartOptions } from '../../src/index.ts'
import { freePort } from '../support/child/free-port.ts'
import { Newcomer } from '../support/docs/newcomer.ts'
import { fileOf } from '../support/folder.ts'
import { ADA, BOB } from '../support/http/members.ts'
import { serve } from '../support/http/serve.ts'
import { serving } from '../support/http/serving.ts'
import { asLong } from '../support/length.ts'
import { createConsumer } from '../support/package/consumer.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/page/browser.ts'
import { pageAt } from '../support/page/pages.ts'

const VITEST = 'node_modules/vitest/vitest.mjs'
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'
const POSTS = [{ id: 1 }, { id: 2 }, { id: 3 }]

let newcomer: Newcomer
beforeAll(async () => {
  newcomer = await Newcomer.arrive()
})
afterAll(() => newcomer.leave())

/** Runs Node in a project with these files; resolves with what it prints. */
async function runIn(files: Readonly<Record<string, string>>, ...command: readonly string[]) {
  const { project } = await newcomer.sitDown()
  const modules = { 'package.json': '{ "type": "module" }', ...files }
  for (const [name, text] of Object.entries(modules)) {
    await mkdir(dirname(join(project, name)), { recursive: true })
    await writeFile(join(project, name), text)
  }
  // Of the runner that runs this.
  const {
    VITEST: _,
    VITEST_MODE: __,
    VITEST_POOL_ID: ___,
    VITEST_WORKER_ID: ____,
    NODE_ENV: _____,
    ...env
  } = process.env
  const run = promisify(execFile)(process.execPath, [...command], {
    cwd: project,
    env: { ...env, NO_COLOR: '1' },
  })
  const output = await run.catch((error: { stdout: string; stderr: string }) => error)
  return { project, output: `${output.stdout}${output.stderr}` }
}

describe('restable/vitest', { timeout: 120_000 }, () => {
  const parallel = (own: string) => `
    import { expect, it } from 'vitest'
    import { api } from 'restable/vitest'

    const { create, createMany, fetch, reset, url, headers } = api()
    const count = async () => (await (await fetch('/posts')).json()).length

    it.each([1, 2, 3])('works alone, the %ith time', async () => {
      await reset()
      expect(await count()).toBe(3)
      await fetch('/posts?_all=true', { method: 'DELETE' })
      expect(await count()).toBe(0)
      expect(await create('posts', { title: '${own}' })).toMatchObject({ title: '${own}' })
      await createMany('posts', 20)
      expect(await (await globalThis.fetch(url + '/posts?title=${own}', { headers })).json()).not.toEqual([])
      expect(await count()).toBe(21)
      expect(api().name).toBe(api().name)
    })
  `

  it.each([true, false])(
    'gives parallel files a server together, and data apart (isolate: %s)',
    async (isolate) => {
      const config = `export default { test: {
      globalSetup: 'restable/vitest',
      provide: { restable: { source: 'db.json' } },
      isolate: ${isolate},
    } }`
      const tests = ['a', 'b', 'c', 'd'].map((name) => [`${name}.test.js`, parallel(name)])
      const files = {
        'vitest.config.js': config,
        'db.json': JSON.stringify({ posts: POSTS }),
        ...Object.fromEntries(tests),
      }
      const { project, output } = await runIn(files, VITEST, 'run')
      expect(output).toContain('12 passed (12)')
      expect(JSON.parse(await readFile(join(project, 'db.json'), 'utf8'))).toEqual({ posts: POSTS })
    },
  )

  it('lets tests be anybody, without a setting', async () => {
    const test = `
      import { expect, it } from 'vitest'
      import { api } from 'restable/vitest'

      it('is Bob', async () => {
        const session = api()
        expect(await session.create('posts', { title: 'theirs', userId: 1 })).toMatchObject({ userId: 1 })
        expect(await session.as('bob@example.com').create('posts', { title: 'mine' })).toMatchObject({ userId: 2 })
        await expect(session.as('eve').fetch('/posts')).rejects.toThrow('There are ada@example.com, bob@example.com.')
      })`
    const posts = { access: { read: 'anyone', create: 'signed-in', update: 'owner', delete: 'owner' } }
    const options = { source: 'db.json', middlewares: ['accounts'], resources: { posts } }
    const provide = JSON.stringify({ restable: options })
    const files = {
      'vitest.config.js': `export default { test: { globalSetup: 'restable/vitest', provide: ${provide} } }`,
      'db.json': JSON.stringify({ users: [ADA, BOB], posts: [] }),
      'a.test.js': test,
    }
    expect((await runIn(files, VITEST, 'run')).output).toContain('1 passed (1)')
  })

  it('says what is missing', async () => {
    const { output } = await runIn({ 'a.test.js': parallel('a') }, VITEST, 'run')
    expect(output).toContain("set globalSetup: 'restable/vitest'")
  })
})

const configOf = (use: object) => `export default {
  workers: 4,
  fullyParallel: true,
  reporter: 'line',
  use: ${JSON.stringify({ launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_FLAGS }, ...use })},
}`

describe.skipIf(CHROMIUM === undefined)('restable/playwright', { timeout: 180_000 }, () => {
  it('gives each test of four workers data of its own, on one server', async () => {
    const empty = fileOf({ posts: [] })
    const scenarios = { empty: { data: empty }, late: { clock: '+30d' } }
    const server = await serve({ data: { posts: POSTS }, live: false, scenarios })
    const test = `
      import { expect, test } from 'restable/playwright'

      const ask = (page, path, init) => page.evaluate(async ([to, how]) => {
        const response = await fetch(to, how)
        return [response.status, await response.json()]
      }, [path, init])

      for (let number = 1; number <= 8; number++) {
        test('test ' + number, async ({ page, api }) => {
          await page.goto('/health-check')
          for (const { id } of ${JSON.stringify(POSTS)}) await ask(page, '/posts/' + id, { method: 'DELETE' })
          await api.createMany('posts', number)
          expect((await ask(page, '/posts'))[1]).toHaveLength(number)
          await api.faults.add({ status: 503, match: { path: '/posts' } })
          expect((await ask(page, '/posts'))[0]).toBe(503)
          await api.clock.set({ now: '2030-01-01T00:00:00Z', frozen: true })
          expect((await ask(page, '/__clock'))[1].now).toBe('2030-01-01T00:00:00.000Z')
          await api.faults.reset()
          await api.reset()
          expect((await ask(page, '/posts'))[1]).toHaveLength(3)
        })
      }

      test('needs no fixture in its arguments', async ({ page }) => {
        await page.goto('/health-check')
        expect((await ask(page, '/posts/1', { method: 'DELETE' }))[0]).toBe(200)
      })

      test.describe('with a scenario', () => {
        test.use({ scenario: 'empty,late' })
        test('begins so, for its pages, too', async ({ page, api }) => {
          await page.goto('/health-check')
          expect((await ask(page, '/posts'))[1]).toEqual([])
          expect((await ask(page, '/__clock'))[1].offset).toBeGreaterThan(2.5e9)
          await api.create('posts', { title: 'x' })
          await api.reset()
          expect((await ask(page, '/posts'))[1]).toEqual([])
        })
      })
    `
    const files = { 'playwright.config.js': configOf({ baseURL: server.url }), 'a.spec.js': test }
    const { output } = await runIn(files, PLAYWRIGHT, 'test')
    expect(output).toContain('10 passed')
    expect(server.count('posts')).toBe(3)
    expect(await (await connect(server.url).fetch('/__sessions')).json()).toEqual([])
  })
})

describe.skipIf(CHROMIUM === undefined)('restable/playwright with accounts', { timeout: 180_000 }, () => {
  const users = [ADA, BOB]
  const issues = [{ id: 1, title: 'one', userId: 1 }]
  const settings = {
    middlewares: ['accounts'],
    accounts: { persona: true },
    resources: { issues: { access: { read: 'signed-in', create: 'signed-in', delete: 'owner' } } },
  } satisfies StartOptions
  const test = `
    import { expect, test } from 'restable/playwright'

    const status = (page, path, init) => page.evaluate(async ([to, how]) => (await fetch(to, how)).status, [path, init])

    test('creates for the server, and acts as anybody', async ({ page, api }) => {
      await page.goto('/health-check')
      expect(await api.create('issues', { title: 'theirs', userId: 2 })).toMatchObject({ id: 2, userId: 2 })
      const bob = api.as('bob@example.com')
      expect((await bob.fetch('/issues/1', { method: 'DELETE' })).status).toBe(403)
      expect((await bob.fetch('/issues/2', { method: 'DELETE' })).status).toBe(200)
      expect((await api.as('ada').create('issues', { title: 'mine' })).userId).toBe(1)
      // The page has not logged in.
      expect(await status(page, '/issues')).toBe(401)
    })

    test('fails and turns the clock, for the page too', async ({ page, api }) => {
      await page.goto('/health-check')
      const login = { email: 'bob@example.com', password: 'password-of-bob' }
      expect(await status(page, '/login', { method: 'POST', body: JSON.stringify(login) })).toBe(200)
      await api.faults.add({ status: 503, match: { path: '/posts' } })
      expect(await status(page, '/posts')).toBe(503)
      expect((await api.fetch('/posts')).status).toBe(503)
      await api.clock.advance('1h')
      await api.reset()
    })
  `

  it.each(['nobody', 'an admin'])('gives the test of %s all that there is', async (who) => {
    const data = { users, issues, posts: POSTS }
    const server = await serve({ data, live: false, ...settings })
    const credentials = { email: ADA.email, password: 'password-of-ada' }
    const { body } = await server.ask('POST', '/login', credentials)
    const apiToken = who === 'nobody' ? {} : { apiToken: body.token }
    const config = configOf({ baseURL: server.url, ...apiToken })
    const { output } = await runIn({ 'playwright.config.js': config, 'a.spec.js': test }, PLAYWRIGHT, 'test')
    expect(output).toContain('2 passed')
    expect(server.count('issues')).toBe(1)
  })

  it('names the setting that acting as a user takes', async () => {
    const server = await serve({ data: { users, issues }, ...settings, accounts: {} })
    const config = configOf({ baseURL: server.url })
    const { output } = await runIn({ 'playwright.config.js': config, 'a.spec.js': test }, PLAYWRIGHT, 'test')
    expect(output).toContain('To create rows for the server, set "accounts": { "persona": true }.')
  })
})

describe.skipIf(CHROMIUM === undefined)('restable/playwright without the API', { timeout: 180_000 }, () => {
  const tried = async (use: object) => {
    const test = `import { test } from 'restable/playwright'\ntest('is run', () => {})`
    const files = { 'playwright.config.js': configOf(use), 'a.spec.js': test }
    return (await runIn(files, PLAYWRIGHT, 'test')).output
  }
  const setting = "use: { apiUrl: 'http://localhost:5173/api' } in playwright.config"

  it('names the URL that it asked, what came, and the setting', async () => {
    const app = await serving((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
    const output = await tried({ baseURL: app })
    expect(output).toContain(`from GET ${app}/__service came 200 text/html, not from restable`)
    expect(output).toContain(setting)
  })

  it('does so where nothing listens, and where no URL is set', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const output = await tried({ baseURL: 'http://localhost:1', apiUrl: url })
    expect(output).toContain(`from GET ${url}/__service nothing came (connect ECONNREFUSED`)
    expect(output).toContain(setting)
    expect(await tried({})).toContain(setting)
  })
})

/** Files that docs/recipes.md shows. */
function recipe(names: RegExp): Record<string, string> {
  return Object.fromEntries(namedBlocks(pageAt('docs/recipes.md').text, names))
}

describe('the recipe for Jest', { timeout: 180_000 }, () => {
  const files = recipe(/^db\.json$|jest|\.spec\.cjs$/)

  it('works in vitest, which stands in for Jest: that takes half a minute to install', async () => {
    const setup = `
      import config from './jest.config.mjs'
      export default async () => {
        const [start, end] = await Promise.all([import(config.globalSetup), import(config.globalTeardown)])
        await start.default()
        return end.default
      }`
    const config =
      "export default { test: { globals: true, globalSetup: './setup.mjs', include: ['*.spec.cjs'] } }"
    const project = { ...files, 'vitest.config.js': config, 'setup.mjs': setup }
    const { output } = await runIn(project, VITEST, 'run')
    expect(output).toContain('2 passed (2)')
  })

  it.runIf(asLong(false, true))('works in Jest itself', async () => {
    const consumer = await createConsumer({ packages: ['jest@30'] })
    onTestFinished(() => consumer.remove())
    for (const [name, text] of Object.entries(files)) await writeFile(join(consumer.folder, name), text)
    const { stderr } = await consumer.runCommand('jest')
    expect(stderr).toContain('2 passed, 2 total')
  })
})

describe('the recipe for Cypress', () => {
  it('gives its tasks a session of their own, with a stand-in for Cypress, whose program cannot be had here', async () => {
    const server = await serve({ data: { posts: POSTS }, live: false })
    const config = recipe(/^cypress\.config\.mjs$/)['cypress.config.mjs'] ?? ''
    const run = `
      import config from './cypress.config.mjs'
      let tasks
      config.e2e.setupNodeEvents((event, handlers) => { if (event === 'task') tasks = handlers })
      const headers = { 'x-mock-session': 'cypress' }
      const posts = async () => {
        const response = await fetch('${server.url}/posts', { headers })
        return response.ok ? (await response.json()).length : response.status
      }
      const seen = [await posts()]
      seen.push((await tasks.create(['posts', { title: 'Just in' }])).title, await posts())
      await tasks.fail({ match: { path: '/posts' }, status: 503 })
      seen.push(await posts(), await tasks.fresh(), await posts())
      console.log(JSON.stringify(seen))`
    const files = {
      'cypress.config.mjs': config.replace('http://localhost:3000', server.url),
      'run.mjs': run,
    }
    const { output } = await runIn(files, 'run.mjs')
    expect(JSON.parse(output)).toEqual([3, 'Just in', 4, 503, null, 3])
    expect(server.count('posts')).toBe(3)
  })
})

describe('the examples', { timeout: 120_000 }, () => {
  /** The files of an example, by path. */
  const example = (name: string) => {
    const folder = join('examples', name)
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = paths.filter((path) => path.isFile()).map((path) => join(path.parentPath, path.name))
    return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
  }

  // test/docs.slow.test.ts serves it and runs its tests, and those of the examples for Playwright and Next: the docs show the
  // same files.
  it('are built: vite-react', async () => {
    const { project, output } = await runIn(example('vite-react'), 'node_modules/vite/bin/vite.js', 'build')
    expect(output).toContain('built in')
    expect(await readdir(join(project, 'dist/assets'))).toHaveLength(1)
  })

  it('use the API of the other container: docker-compose', async () => {
    const files = example('docker-compose')
    const { url } = await serve({ data: JSON.parse(files['data/db.json'] ?? ''), live: false })
    const app = `process.env.API_URL = '${url}'\nawait import('./app.mjs')`
    const { output } = await runIn({ ...files, 'container.mjs': app }, 'container.mjs')
    expect(output).toBe('There are 2 posts\n')
  })
})
