import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../src/index.ts'
import { startShop } from '../support/docs/start-shop.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/page/browser.ts'

/** A name that is not this machine's, to the browser. */
const ELSEWHERE = 'elsewhere.test'
const ALAN = { email: 'alan@example.com', password: 'bletchley' }

describe.skipIf(CHROMIUM === undefined)('a page in Chromium, with cookies', () => {
  let browser: Browser
  let app: Server
  let port: number
  let profile: BrowserContext
  let server: RunningServer

  beforeAll(async () => {
    const args = [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`]
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args })
    app = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end('<title>app</title>'))
    app.listen(0)
    await once(app, 'listening')
    port = (app.address() as AddressInfo).port
  })
  afterAll(async () => {
    await browser?.close()
    app?.close()
  })
  beforeEach(async () => {
    server = await startShop()
    profile = await browser.newContext()
  })
  afterEach(async () => {
    await profile.close()
    await server.close()
  })

  /** The front end, on a host of that name. */
  async function openApp(host: string): Promise<Page> {
    const page = await profile.newPage()
    await page.goto(`http://${host}:${port}/`)
    return page
  }

  /** The status and the code or the email of an answer; `blocked` if the browser does not hand it out. */
  function ask(page: Page, method: string, url: string, body?: object): Promise<string> {
    return page.evaluate(
      async ([method, url, text]) => {
        try {
          const answer = await fetch(url ?? '', {
            method: method ?? '',
            credentials: 'include',
            ...(text && { body: text, headers: { 'Content-Type': 'application/json' } }),
          })
          const { code, email, user } = Object(await answer.json())
          return [answer.status, code ?? email ?? user?.email].filter(Boolean).join(' ')
        } catch {
          return 'blocked'
        }
      },
      [method, url, body && JSON.stringify(body)],
    )
  }

  it('logs in from another port of the same host, and is that user until it logs out', async () => {
    const page = await openApp('localhost')
    const { url } = server
    expect(await ask(page, 'GET', `${url}/me`)).toBe('401 AUTH_REQUIRED')
    expect(await ask(page, 'POST', `${url}/login`, ALAN)).toBe('200 alan@example.com')
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await ask(page, 'GET', `${url}/me`)).toBe('200 alan@example.com')
    await page.reload()
    expect(await ask(page, 'GET', `${url}/me`)).toBe('200 alan@example.com')
    expect(await ask(page, 'PATCH', `${url}/products/1`, { price: 1 })).toBe('403 AUTH_FORBIDDEN')
    expect(await ask(page, 'POST', `${url}/reviews`, { product_id: 1, stars: 5 })).toBe('201')
    expect(server.db.get('reviews').find({ id: 3 }).value()).toMatchObject({ stars: 5, user_id: 2 })
    expect(await ask(page, 'POST', `${url}/logout`)).toBe('200')
    expect(await ask(page, 'GET', `${url}/me`)).toBe('401 AUTH_REQUIRED')
    expect(await profile.cookies()).toEqual([])
  })

  it('refreshes by cookie, and a spent cookie ends the login', async () => {
    const page = await openApp('localhost')
    const { url } = server
    await ask(page, 'POST', `${url}/login`, ALAN)
    const spent = await profile.cookies()
    expect(spent.map(({ name, httpOnly, sameSite, expires }) => [name, httpOnly, sameSite, expires])).toEqual(
      [
        ['access_token', true, 'Lax', -1],
        ['refresh_token', true, 'Lax', -1],
      ],
    )
    server.clock.advance('15m')
    expect(await ask(page, 'GET', `${url}/me`)).toBe('401 AUTH_REQUIRED')
    expect(await ask(page, 'POST', `${url}/refresh`)).toBe('200 alan@example.com')
    expect(await ask(page, 'GET', `${url}/me`)).toBe('200 alan@example.com')
    await profile.addCookies(spent)
    expect(await ask(page, 'POST', `${url}/refresh`)).toBe('401 AUTH_REQUIRED')
    expect(await profile.cookies()).toEqual([])
  })

  it('is refused on another site, and is nobody there', async () => {
    const { url } = server
    await ask(await openApp('localhost'), 'POST', `${url}/login`, ALAN)
    const page = await openApp(ELSEWHERE)
    expect(await ask(page, 'GET', `${url}/me`)).toBe('403 FOREIGN_ORIGIN')
    expect(await ask(page, 'POST', `${url}/login`, ALAN)).toBe('403 FOREIGN_ORIGIN')
    expect(await ask(page, 'POST', `${url}/logout`)).toBe('403 FOREIGN_ORIGIN')
    // What anybody may read it reads as anybody.
    expect(await ask(page, 'GET', `${url}/products/1`)).toBe('200')
    expect(await ask(page, 'GET', `${url}/orders/1`)).toBe('401 AUTH_REQUIRED')
    expect(await ask(page, 'POST', `${url}/reviews`, { product_id: 1 })).toBe('401 AUTH_REQUIRED')
    expect(await ask(await openApp('localhost'), 'GET', `${url}/me`)).toBe('200 alan@example.com')
  })

  it('gets no cookie on another site, even if the server trusts it: SameSite=Lax', async () => {
    await server.close()
    server = await startShop({ trustedOrigins: [`http://${ELSEWHERE}:${port}`] })
    const { url } = server
    await ask(await openApp('localhost'), 'POST', `${url}/login`, ALAN)
    expect(await ask(await openApp(ELSEWHERE), 'GET', `${url}/me`)).toBe('401 AUTH_REQUIRED')
  })

  it('takes localhost and 127.0.0.1 for two sites', async () => {
    const { url } = server
    const page = await openApp('127.0.0.1')
    expect(await ask(page, 'POST', `${url}/login`, ALAN)).toBe('200 alan@example.com')
    expect(await ask(page, 'GET', `${url}/me`)).toBe('401 AUTH_REQUIRED')
  })

  it('cannot read what it asks with cookies for where the cors layer is on', async () => {
    await server.close()
    server = await startShop({ middlewares: ['cors', 'accounts'] })
    expect(await ask(await openApp('localhost'), 'GET', `${server.url}/products/1`)).toBe('blocked')
  })
})
