import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { json } from '../support/http/serving.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, seriousIn } from './parts/appearance.ts'
import { helpDesk } from './parts/help-desk.ts'
import { type OpenOptions, openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const WIDTHS = [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const

const open = (at: string, options: OpenOptions = {}) =>
  openPage({ data: helpDesk(), foreignKeySuffix: 'Id', at, ...options })

const edit = async (page: Page) => {
  await page.getByRole('button', { name: 'Edit' }).click()
  // The schema has arrived.
  await page.locator('input[type="date"]').waitFor()
}

/** Before the columns is one to select rows. */
const cell = (page: Page, row: number, column: number) =>
  page.locator(`.grid tbody tr:nth-child(${row}) > :nth-child(${column + 1})`)

describe.skipIf(CHROMIUM === undefined)('keys on the page', { timeout: 60_000 }, () => {
  afterAll(closeBrowser)

  it('are names in the table, with the id, loaded by one request for each collection', async () => {
    const { page } = await open('#/requests')
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (searchParams.has('id')) asked.push(`${pathname} ${searchParams.getAll('id').sort()}`)
    })
    await page.evaluate("location.hash = '#/data/tickets'")
    await page.getByRole('link', { name: 'Ada Lovelace 1' }).first().waitFor()
    await page.getByRole('link', { name: 'barbara@example.com 3' }).first().waitFor()
    await cell(page, 2, 9).getByRole('link', { name: 'refund 2' }).waitFor()
    expect(await cell(page, 2, 9).locator('a').allTextContents()).toEqual(['billing 1', 'refund 2'])
    expect(asked.sort()).toEqual(['/agents 1,2,3', '/tags 1,2'])
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Ticket number 30').waitFor()
    expect(asked).toHaveLength(2)
  })

  it('follow a change of the name, by whoever makes it', async () => {
    const { page, server } = await open('#/data/tickets/.1')
    await page.getByText('Live', { exact: true }).waitFor()
    const panel = page.getByRole('region', { name: 'Ticket 1', exact: true })
    await panel.getByRole('link', { name: 'Ada Lovelace 1' }).waitFor()
    await panel.getByRole('link', { name: 'billing 1' }).waitFor()
    await fetch(`${server.url}/agents/1`, json('PATCH', { name: 'Ada King' }))
    await panel.getByRole('link', { name: 'Ada King 1' }).waitFor()
    await cell(page, 1, 8).getByRole('link', { name: 'Ada King 1' }).waitFor()
    await fetch(`${server.url}/agents/1`, { method: 'DELETE' })
    await cell(page, 1, 8).getByText('1', { exact: true }).waitFor()
  })

  it.each(WIDTHS)('are chosen by name among thousands, with the keyboard, on %s', async (_, viewport) => {
    const { page, server, faults } = await open('#/data/tickets/.2', {
      context: { viewport, colorScheme: 'light', bypassCSP: true },
    })
    await edit(page)
    const agent = page.getByRole('combobox', { name: 'agentId' })
    await expect.poll(() => agent.inputValue()).toBe('Grace Hopper')
    // Arrows and leaving change nothing.
    await agent.press('ArrowDown')
    await page.getByRole('option', { name: 'Ada Lovelace 1' }).waitFor()
    await agent.press('ArrowDown')
    await agent.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    expect(await agent.inputValue()).toBe('Grace Hopper')
    await agent.fill('Ann')
    await page.getByRole('option', { name: 'Ann 4000' }).waitFor()
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    const active = await agent.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).textContent()).toBe('Ann 4000')
    await agent.press('Tab')
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Clear agentId')
    expect(await agent.inputValue()).toBe('Grace Hopper')

    await agent.fill('barb')

    await page.getByRole('option', { name: 'barbara@example.com 3' }).waitFor()
    await agent.press('Enter')
    expect(await agent.inputValue()).toBe('barbara@example.com')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await agent.press('Enter')
    expect((await sent).postData()).toBe('{"agentId":3}')
    await page.getByText('Ticket 2 saved').waitFor()
    expect(await (await fetch(`${server.url}/tickets/2`)).json()).toMatchObject({ agentId: 3 })
    expect(faults).toEqual([])
  })

  it('are found by id, too, and can be cleared', async () => {
    const { page } = await open('#/data/tickets/.2')
    await edit(page)
    const agent = page.getByRole('combobox', { name: 'agentId' })
    await agent.fill('2003')
    await page.getByRole('option', { name: 'Agent 2003 of Annville' }).click()
    expect(await agent.inputValue()).toBe('Agent 2003 of Annville')
    await page.getByRole('button', { name: 'Clear agentId' }).click()
    expect(await page.evaluate('document.activeElement.dataset.field')).toBe('agentId')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postData()).toBe('{"agentId":null}')
  })

  it.each(WIDTHS)('in a list are chips to add and remove, on %s', async (_, viewport) => {
    const { page } = await open('#/data/tickets/.2', {
      context: { viewport, colorScheme: 'light', bypassCSP: true },
    })
    await edit(page)
    const chips = page.locator('.row-editor .chip')
    await chips.getByText('refund').waitFor()
    expect(await chips.allTextContents()).toEqual(['billing 1', 'refund 2'])
    await page.getByRole('button', { name: 'Remove 1 from tagIds' }).click()
    const tags = page.getByRole('combobox', { name: 'tagIds' })
    await tags.click()
    // What is there already is not offered again.
    await page.getByRole('option', { name: 'billing 1' }).waitFor()
    expect(await page.getByRole('listbox').getByRole('option').allTextContents()).toEqual([
      'billing 1',
      'urgent 3',
      '4 ',
    ])
    expect(await seriousIn(page)).toEqual([])
    await tags.press('ArrowDown')
    await tags.press('Enter')
    await chips.getByText('urgent').waitFor()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postData()).toBe('{"tagIds":[2,3]}')
    await page.locator('.panel .chips').getByText('urgent').waitFor()
    expect(await fitsWidth(page)).toBe(true)
  })

  it('of a new row are ids as their rows have them', async () => {
    const { page, server } = await openPage({
      data: { posts: [], people: [{ id: 'p1', name: 'Ada' }] },
      resources: { posts: { references: { author: { resource: 'people' } } } },
      at: '#/data/posts/new',
    } as OpenOptions)
    await page.getByRole('combobox', { name: 'author' }).fill('ad')
    await page.getByRole('option', { name: 'Ada p1' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Post 1' }).waitFor()
    expect(await (await fetch(`${server.url}/posts/1`)).json()).toEqual({ author: 'p1', id: 1 })
  })

  it('are named and found on a strict server, too', async () => {
    const { page, server } = await open('#/data/tickets/.2', { strict: true })
    await page.getByRole('link', { name: 'Grace Hopper 2' }).first().waitFor()
    await edit(page)
    await page.getByRole('combobox', { name: 'agentId' }).fill('ada')
    await page.getByRole('option', { name: 'Ada Lovelace 1' }).waitFor()
    expect((await fetch(`${server.url}/agents?_fields=slug`)).status).toBe(400)
  })

  it('say so when the server does not let one search', async () => {
    const { page } = await open('#/data/tickets/.2')
    await edit(page)
    await page.route('**/agents?**', (route) => route.fulfill({ status: 403, body: '{}' }))
    await page.getByRole('combobox', { name: 'agentId' }).fill('ada')
    await page.getByText('The server did not allow the search.').waitFor()
  })
})
