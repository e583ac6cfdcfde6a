import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RunningServer, StartOptions } from '../../src/index.ts'
import { serve } from '../support/http/serve.ts'
import { serving } from '../support/http/serving.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { closeBrowser, discardTab, takeTab } from './parts/tabs.ts'

/** An app of an origin of its own, and a server that other pages may ask for anything but what needs a preflight. */
async function open(options: StartOptions) {
  const api = await serve(options)
  const app = await serving((_req, res) => res.setHeader('Content-Type', 'text/html').end('<h1>App</h1>'))
  const heard: string[] = []
  const fonts = await serving(
    createServer(({ method, headers }, res) => {
      heard.push(`${method} ${headers['x-mock-session']}`)
      res.setHeader('Access-Control-Allow-Origin', '*').end('"fonts"')
    }).listen(0, '127.0.0.1'),
  )
  const appUrl = app.replace('127.0.0.1', 'localhost')
  const tab = await takeTab({}, appUrl)
  onTestFinished(() => discardTab(tab))
  return { api, appUrl, fonts, heard, page: tab.page }
}

function ask(page: Page, url: string, init?: RequestInit): Promise<unknown> {
  return page.evaluate(async ([to, how]) => (await fetch(to, how)).json(), [url, init] as const)
}

/** As docs/testing.md has them. */
const WAYS: [string, (page: Page, api: RunningServer) => Promise<unknown>, RequestInit?][] = [
  [
    'a route',
    (page, { url, session }) =>
      page.context().route(`${url}/**`, (route, request) => {
        return route.continue({ headers: { ...request.headers(), ...session('worker-1').headers } })
      }),
  ],
  [
    'a cookie',
    (page, { url }) => page.context().addCookies([{ name: 'mock_session', value: 'worker-1', url }]),
    { credentials: 'include' },
  ],
]

describe.skipIf(CHROMIUM === undefined)('a page of another origin', () => {
  afterAll(closeBrowser)

  it.each(WAYS)('is in a session by %s, of which other hosts hear nothing', async (_, enter, init) => {
    const { api, appUrl, fonts, heard, page } = await open({ data: { posts: [{ id: 1 }, { id: 2 }] } })
    await enter(page, api)
    await page.goto(appUrl)
    await ask(page, `${api.url}/posts/1`, { ...init, method: 'DELETE' })
    expect(await ask(page, `${api.url}/posts`, init)).toEqual([{ id: 2 }])
    expect(api.count('posts')).toBe(2)
    expect(await ask(page, fonts)).toBe('fonts')
    expect(heard).toEqual(['GET undefined'])
  })

  it('logs an EventSource in by cookie, and reads again what changed', async () => {
    const { api, appUrl, page } = await open({
      data: {
        users: [{ id: 1, email: 'ada@example.com', password: 'lovelace' }],
        notes: [{ id: 1, userId: 1 }],
      },
      middlewares: ['accounts'],
      accounts: { cookies: true },
      resources: { notes: { access: { read: 'owner' } } },
    })
    await page.goto(appUrl)
    const body = JSON.stringify({ email: 'ada@example.com', password: 'lovelace' })
    const ada = { method: 'POST', body, credentials: 'include' } as const
    await ask(page, `${api.url}/login`, ada)
    // As docs/data.md has it.
    await page.evaluate((url) => {
      const counts: number[] = []
      Object.assign(globalThis, { counts })
      const changes = new EventSource(`${url}/__events?resource=notes`, { withCredentials: true })
      const readAgain = async () => {
        const response = await fetch(`${url}/notes`, { credentials: 'include' })
        counts.push(Number(response.headers.get('x-total-count')))
      }
      for (const type of ['open', 'change']) changes.addEventListener(type, readAgain)
    }, api.url)
    const counts = () => page.evaluate(() => Reflect.get(globalThis, 'counts'))
    await expect.poll(counts).toEqual([1])
    await ask(page, `${api.url}/notes`, { ...ada, body: '{}' })
    await expect.poll(counts).toEqual([1, 2])
  })
})
