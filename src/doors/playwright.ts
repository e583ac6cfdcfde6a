import { randomUUID } from 'node:crypto'
import { test as base } from '@playwright/test'
import { connect, type RemoteSession } from '../index.ts'

export interface ApiOptions {
  /** Where the API is: `http://localhost:5173/api`. @default baseURL */
  apiUrl: string | undefined
  /** For guards, and for what only admins may do. A login is one of the base: in a session, use `api.as()`. */
  apiToken: string | undefined
  /** How the session of each test begins: a scenario of the server, or several, by comma. */
  scenario: string | undefined
}

export interface ApiFixtures {
  /** A session of the test, which the requests of its pages belong to. */
  api: RemoteSession
}

/**
 * Playwright's `test`, with data of its own for each test, on one server.
 * @example
 * test('shows posts', async ({ page, api }) => {
 *   await api.create('posts', { title: 'Hello' })
 *   await page.goto('/')
 * })
 */
export const test = base.extend<ApiOptions & ApiFixtures>({
  apiUrl: [undefined, { option: true }],
  apiToken: [undefined, { option: true }],
  scenario: [undefined, { option: true }],
  api: [
    async ({ context, apiUrl, apiToken, scenario, baseURL }, use, { workerIndex }) => {
      const url = apiUrl ?? baseURL
      if (url === undefined) throw new Error(`restable/playwright: ${REMEDY}`)
      const server = connect(url, apiToken === undefined ? {} : { token: apiToken })
      const session = server.session(`playwright-${workerIndex}-${randomUUID()}`, { scenario })
      if (!checked.has(url)) await checkApi(session, server.url)
      checked.add(url)
      const isApi = ({ href }: URL) =>
        href === server.url || /^[/?#]/.test(href.split(server.url, 2)[1] ?? '')
      // Not `extraHTTPHeaders`: other hosts would refuse the preflight.
      await context.route(isApi, (route, request) =>
        route.fallback({ headers: { ...request.headers(), ...session.headers } }),
      )
      await use(session)
      // A page that is still open would start it again.
      await context.unroute(isApi)
      await session.close()
    },
    { auto: true },
  ],
})

const REMEDY = "say where the API is: use: { apiUrl: 'http://localhost:5173/api' } in playwright.config"

/** URLs that this worker found the API at. */
const checked = new Set<string>()

/** Throws unless the API is there: each of its responses names the session. */
async function checkApi({ name, fetch }: RemoteSession, url: string): Promise<void> {
  const path = '/__service'
  const came = await fetch(path).then(
    ({ status, headers }) =>
      headers.get('X-Mock-Session') === name
        ? undefined
        : `came ${status} ${headers.get('content-type') ?? ''}, not from restable with sessions`,
    (error: Error) => `nothing came (${error.cause instanceof Error ? error.cause.message : error.message})`,
  )
  if (came !== undefined) throw new Error(`restable/playwright: from GET ${url}${path} ${came}: ${REMEDY}`)
}

export { expect } from '@playwright/test'
