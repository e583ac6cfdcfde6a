import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { fileOf } from '../support/folder.ts'
import { serve } from '../support/http/serve.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, PHONE, seriousIn } from './parts/appearance.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const DESK = { bypassCSP: true, viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const

async function dataFile(): Promise<string> {
  const source = fileOf(GOOD)
  return source
}

const GOOD = '{ "posts": [{ "id": 1, "title": "First" }] }'

const banner = (page: Page) => page.locator('.banner')

describe.skipIf(CHROMIUM === undefined)('the page, when something is wrong', () => {
  afterAll(closeBrowser)

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])(
    'says on %s that the server is gone, keeps what it has shown, and connects again',
    async (_, context) => {
      const { page, server } = await openPage({ at: '#/data/products/.1', context })
      await page.getByText('Live').waitFor({ state: 'attached' })
      await server.close()
      await banner(page).getByText('The server does not respond.').waitFor()
      await page.getByRole('heading', { name: 'Product 1' }).waitFor()
      expect(await page.locator('.grid tbody tr').count()).toBe(25)
      expect(await seriousIn(page)).toEqual([])
      expect(await fitsWidth(page)).toBe(true)
      await serve({ port: server.port, data: { products: [{ id: 1, name: 'Back' }] } })
      await banner(page).waitFor({ state: 'detached' })
      await page.locator('.grid tbody').getByText('Back').waitFor({ state: 'attached' })
    },
  )

  it('says that the file is broken while the last good data is served, until it is fixed', async () => {
    const source = await dataFile()
    const { page } = await openPage({ source, watch: true, at: '#/data/posts' })
    await page.getByText('Live').waitFor()
    await writeFile(source, '{ "posts": [ }')
    await banner(page).getByText('The data file cannot be read.').waitFor()
    await banner(page).getByText('You see the last good data.').waitFor()
    await page.getByRole('row', { name: 'First' }).waitFor()
    await writeFile(source, GOOD.replace('First', 'Second'))
    await banner(page).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'Second' }).waitFor()
  })

  it('says that a write was not saved, of another client, too, until one is', async () => {
    const source = await dataFile()
    const { page, server } = await openPage({ source, at: '#/data/posts' })
    await page.getByText('Live').waitFor()
    await writeFile(source, '{ "posts": [ }')
    const write = () => fetch(`${server.url}/posts`, { method: 'POST' })
    expect((await write()).status).toBe(503)
    await banner(page).getByText('Not saved.').waitFor()
    await banner(page).getByText('nothing was changed').waitFor()
    await writeFile(source, GOOD)
    expect((await write()).status).toBe(201)
    await banner(page).waitFor({ state: 'detached' })
  })

  it('does not take one request that fails on purpose for a server that is gone', async () => {
    const { page, server } = await openPage({ at: '#/data/products' })
    await page.getByText('Live').waitFor()
    await page.getByRole('button', { name: 'price' }).waitFor()
    const rule = { match: { path: '/products' }, fault: 'reset' }
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${server.url}/__faults`, { method: 'POST', headers, body: JSON.stringify(rule) })
    // Not by a heading: once connected, the page loads again, and then has no table.
    await page.evaluate("location.hash = '#/data/products?_sort=price'")
    await page.getByRole('alert').getByText('No response').waitFor()
    // What it is instead, and a way out.
    await banner(page).getByText('This page fails on purpose. Rule 1').waitFor()
    await page.getByRole('link', { name: 'Faults 1 on' }).waitFor()
    await banner(page).getByRole('button', { name: 'Switch it off' }).click()
    await page.getByRole('button', { name: 'price' }).waitFor()
    await banner(page).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Faults', exact: true }).waitFor()
  })

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('has a lock instead of a count on %s where one may not read', async (_, context) => {
    const { page } = await openPage({
      at: '#/data/orders',
      context,
      middlewares: ['accounts'],
      data: { users: [], posts: [{ id: 1 }], orders: [{ id: 1 }] },
      resources: { orders: { access: { read: 'signed-in' } } },
    })
    const nav = page.getByRole('navigation', { name: 'Resources' })
    await nav.getByRole('link', { name: 'orders locked' }).waitFor()
    await nav.getByRole('link', { name: 'posts 1' }).waitFor()
    await page.getByRole('alert').getByText('401 AUTH_REQUIRED').waitFor()
    expect(await page.locator('.view-head .count').textContent()).toBe('')
    expect(await page.getByText(' of 0').count()).toBe(0)
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
  })

  it.each([
    ['requests', 'Requests appear here as clients send them'],
    ['history', 'Nothing has changed since the start'],
    ['faults', 'No rules: nothing fails on purpose. Each appears here'],
    ['query', 'Send the query to see the response'],
    ['service', 'Off. To turn them on, name a folder'],
    ['data', 'There is no data yet. A collection appears here as a table'],
    ['api', 'There is no data yet. Each resource appears here'],
  ])('says in the empty tab %s what would be there, within its margins', async (tab, text) => {
    const { page } = await openPage({ at: `#/${tab}`, data: {} })
    const hint = page.locator('.hint', { hasText: text })
    await hint.waitFor()
    const { x = 0 } = (await hint.boundingBox()) ?? {}
    const padding = `getComputedStyle([...document.querySelectorAll('.hint')].find((one) => one.textContent.includes('${text}'))).paddingLeft`
    expect(x + Number.parseFloat(await page.evaluate<string>(padding))).toBeGreaterThanOrEqual(12)
  })
})
