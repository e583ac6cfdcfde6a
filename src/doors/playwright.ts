import { randomUUID } from 'node:crypto'
import { test as base } from '@playwright/test'
import { connect, type RemoteSession } from '../index.ts'

export interface ApiOptions {
  /** Where the API is: `http://localhost:5173/api`. @default baseURL */
  apiUrl: string | undefined
  /** For guards, and for what only admins may do. */
  apiToken: string | undefined
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
  api: [
    async ({ context, apiUrl, apiToken, baseURL }, use, { workerIndex }) => {
      const url = apiUrl ?? baseURL
      if (url === undefined) throw new Error(`restable/playwright: say where the API is: ${EXAMPLE}`)
      const server = connect(url, apiToken === undefined ? {} : { token: apiToken })
      const session = server.session(`playwright-${workerIndex}-${randomUUID()}`)
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

const EXAMPLE = "use: { apiUrl: 'http://localhost:5173/api' } in playwright.config"

export { expect } from '@playwright/test'
