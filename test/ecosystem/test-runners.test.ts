import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connect, start } from '../../src/index.ts'
import { Newcomer } from '../support/docs/newcomer.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/page/browser.ts'

const POSTS = [{ id: 1 }, { id: 2 }, { id: 3 }]

let newcomer: Newcomer
beforeAll(async () => {
  newcomer = await Newcomer.arrive()
})
afterAll(() => newcomer.leave())

/** Runs a test runner in a project with these files; resolves with what it prints. */
async function runIn(files: Readonly<Record<string, string>>, ...command: readonly string[]) {
  const { project } = await newcomer.sitDown()
  const modules = { 'package.json': '{ "type": "module" }', ...files }
  for (const [name, text] of Object.entries(modules)) await writeFile(join(project, name), text)
  // Of the runner that runs this.
  const {
    VITEST: _,
    VITEST_MODE: __,
    VITEST_POOL_ID: ___,
    VITEST_WORKER_ID: ____,
    NODE_ENV: _____,
    ...env
  } = process.env
  const [program = '', ...flags] = command
  const run = promisify(execFile)(process.execPath, [join(project, 'node_modules', program), ...flags], {
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
      const { project, output } = await runIn(files, 'vitest/vitest.mjs', 'run')
      expect(output).toContain('12 passed (12)')
      expect(JSON.parse(await readFile(join(project, 'db.json'), 'utf8'))).toEqual({ posts: POSTS })
    },
  )

  it('says what is missing', async () => {
    const { output } = await runIn({ 'a.test.js': parallel('a') }, 'vitest/vitest.mjs', 'run')
    expect(output).toContain("set globalSetup: 'restable/vitest'")
  })
})

describe.skipIf(CHROMIUM === undefined)('restable/playwright', { timeout: 180_000 }, () => {
  const config = (use: object) => `export default {
    workers: 4,
    fullyParallel: true,
    reporter: 'line',
    use: ${JSON.stringify({ launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_FLAGS }, ...use })},
  }`

  it('gives each test of four workers data of its own, on one server', async () => {
    const server = await start({ data: { posts: POSTS }, live: false })
    onTestFinished(() => server.close())
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
    `
    const files = { 'playwright.config.js': config({ baseURL: server.url }), 'a.spec.js': test }
    const { output } = await runIn(files, '@playwright/test/cli.js', 'test')
    expect(output).toContain('9 passed')
    expect(server.count('posts')).toBe(3)
    expect(await (await connect(server.url).fetch('/__sessions')).json()).toEqual([])
  })
})
