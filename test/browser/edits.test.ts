import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { json } from '../support/http/serving.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, seriousIn } from './parts/appearance.ts'
import { helpDesk } from './parts/help-desk.ts'
import { holdBack } from './parts/hold-back.ts'
import { type OpenOptions, openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const DESK = { viewport: { width: 1280, height: 800 }, colorScheme: 'light', bypassCSP: true } as const
const PHONE = { ...DESK, viewport: { width: 390, height: 844 } } as const
const WIDTHS = [
  ['a desk', DESK],
  ['a phone', PHONE],
] as const

async function openForm(options: OpenOptions = {}) {
  const opened = await openPage({
    data: helpDesk(),
    foreignKeySuffix: 'Id',
    at: '#/data/tickets/.1',
    ...options,
  })
  const { page, server } = opened
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.locator('input[type="date"]').waitFor()
  const write = (body: object) => fetch(`${server.url}/tickets/1`, json('PATCH', body))
  const read = async (): Promise<{ title?: string }> =>
    JSON.parse(await (await fetch(`${server.url}/tickets/1`)).text())
  return { ...opened, write, read, title: page.getByLabel('title', { exact: true }) }
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

/** Ways to leave the form, and what is shown then. */
const WAYS: readonly (readonly [string, (page: Page) => Promise<unknown>, string])[] = [
  ['Escape', (page) => page.keyboard.press('Escape'), '#/data/tickets'],
  ['Close', (page) => page.getByRole('button', { name: 'Close' }).click(), '#/data/tickets'],
  ['Cancel', (page) => page.getByRole('button', { name: 'Cancel' }).click(), '#/data/tickets/.1'],
  ['another row', (page) => page.getByText('Ticket number 3', { exact: true }).click(), '#/data/tickets/.3'],
  ['another view', (page) => page.getByRole('link', { name: 'History' }).click(), '#/history'],
  ['another collection', (page) => page.getByRole('link', { name: 'tags 4' }).click(), '#/data/tags'],
]

describe.skipIf(CHROMIUM === undefined)('edits on the page', { timeout: 60_000 }, () => {
  afterAll(closeBrowser)

  it.each(WAYS)('are not lost by %s: it asks first', async (_, leave, hash) => {
    const { page, title, faults } = await openForm()
    await title.fill('typed')
    await leave(page)
    await question(page).waitFor()
    await page.keyboard.press('Escape')
    await question(page).waitFor({ state: 'detached' })
    expect(await title.inputValue()).toBe('typed')
    expect(await page.evaluate('location.hash')).toBe('#/data/tickets/.1')
    await leave(page)
    await question(page).getByRole('button', { name: 'Discard changes' }).click()
    await title.waitFor({ state: 'detached' })
    expect(await page.evaluate('location.hash')).toBe(hash)
    expect(faults).toEqual([])
  })

  it.each(WIDTHS)('are asked about readably, on %s', async (_, context) => {
    const { page, title } = await openForm({ context })
    await title.fill('typed')
    await title.press('Escape')
    await question(page).waitFor()
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    // Enter takes the safe choice.
    await page.keyboard.press('Enter')
    await question(page).waitFor({ state: 'detached' })
    expect(await title.inputValue()).toBe('typed')
  })

  it('are not lost by the back button, and the back button works afterwards', async () => {
    const { page } = await openPage({ data: helpDesk(), foreignKeySuffix: 'Id', at: '#/data/tickets' })
    await page.getByRole('button', { name: 'New' }).click()
    const title = page.getByLabel('title', { exact: true })
    await title.fill('typed')
    await page.goBack()
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    expect(await title.inputValue()).toBe('typed')
    expect(await page.evaluate('location.hash')).toBe('#/data/tickets/new')
    // The focus is back in the form.
    expect(await page.evaluate('document.activeElement.dataset.field')).toBe('title')
    await page.goBack()
    await question(page).getByRole('button', { name: 'Discard changes' }).click()
    await title.waitFor({ state: 'detached' })
    expect(await page.evaluate('location.hash')).toBe('#/data/tickets')
  })

  it('keep the browser from closing the tab, as long as they are not saved', async () => {
    const { page, title } = await openForm()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await title.fill('typed')
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    await page.getByRole('button', { name: 'Edit' }).click()
    await title.fill('typed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ticket 1 saved').waitFor()
    await page.reload()
    expect(asked).toHaveLength(1)
    page.removeAllListeners('dialog')
  })

  it('ask nothing where nothing was changed, and while the table beside them is searched', async () => {
    const { page, title } = await openForm()
    const search = page.getByLabel('Search all fields')
    await title.fill('typed')
    await search.fill('number 1')
    await expect.poll(() => page.evaluate('location.hash')).toContain('q=number')
    expect(await title.inputValue()).toBe('typed')
    await title.fill('Ticket number 1')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('Requests appear here').waitFor()
  })

  it('are asked about before another session is opened', async () => {
    const { page, title } = await openForm()
    await title.fill('typed')
    await page.getByRole('button', { name: 'Session: base data' }).click()
    await page.getByLabel('New session…').fill('other')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    expect(await title.inputValue()).toBe('typed')
    expect(await page.getByText('Session other').count()).toBe(0)
  })

  it.each(WIDTHS)('meet what somebody else changed: keep mine, on %s', async (_, context) => {
    const { page, title, write, read } = await openForm({ context })
    await title.fill('mine')
    await write({ title: 'theirs', status: 'closed' })
    const note = page.getByRole('alert')
    await note.getByText('Ticket number 1 → theirs (you changed it, too)').waitFor()
    await note.getByText('open → closed').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    await note.getByRole('button', { name: 'Keep mine' }).click()
    expect(await title.inputValue()).toBe('mine')
    expect(await page.getByLabel('status').inputValue()).toBe('closed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ticket 1 saved').waitFor()
    expect(await read()).toMatchObject({ title: 'mine', status: 'closed' })
  })

  it('meet what somebody else changed: take theirs, and keep the rest of mine', async () => {
    const { page, title, write, read } = await openForm()
    await title.fill('mine')
    await page.getByLabel('due').fill('2027-01-01')
    await write({ title: 'theirs' })
    await page.getByRole('button', { name: 'Take theirs' }).click()
    expect(await title.inputValue()).toBe('theirs')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ticket 1 saved').waitFor()
    expect(await read()).toMatchObject({ title: 'theirs', due: '2027-01-01' })
  })

  it('meet a change in the JSON editor, too', async () => {
    const { page, write, read } = await openForm()
    await page.getByRole('button', { name: 'JSON' }).click()
    const editor = page.getByLabel('The row as JSON')
    const text = await editor.inputValue()
    await editor.fill(text.replace('"Ticket number 1"', '"mine"'))
    await write({ status: 'closed' })
    await page.getByRole('button', { name: 'Take theirs' }).click()
    expect(JSON.parse(await editor.inputValue())).toMatchObject({ title: 'mine', status: 'closed' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ticket 1 saved').waitFor()
    expect(await read()).toMatchObject({ title: 'mine', status: 'closed' })
  })

  it('do not meet themselves: the next form begins with what was saved, however late that is read', async () => {
    const { page, title, read } = await openForm()
    const reading = () =>
      page.waitForRequest((request) => request.method() === 'GET' && request.url().endsWith('/tickets/1'))
    for (const text of ['first', 'second']) {
      await title.fill(text)
      const asked = reading()
      let go = () => {}
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      await page.route('**/tickets/1', async (route) => {
        if (route.request().method() === 'GET') await gate
        await route.continue()
      })
      await page.getByRole('button', { name: 'Save' }).click()
      await asked
      expect(await title.isVisible()).toBe(true)
      go()
      await page.getByRole('button', { name: 'Edit' }).click()
      expect(await title.inputValue()).toBe(text)
      await page.unroute('**/tickets/1')
    }
    await title.fill('third')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await read()).title).toBe('third')
  })

  it('follow the row while nothing is typed', async () => {
    const { page, title, write } = await openForm()
    await write({ title: 'theirs' })
    await expect.poll(() => title.inputValue()).toBe('theirs')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('overwrite nothing that the page has not heard of yet', async () => {
    const { page, title, write, read } = await openForm()
    await title.fill('mine')
    const release = await holdBack(page, '**/tickets/1')
    const sent = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    await release(async () => {
      await write({ title: 'theirs' })
    })
    expect((await sent).status()).toBe(412)
    await page.getByRole('alert').getByText('Ticket number 1 → theirs').waitFor()
    expect(await read()).toMatchObject({ title: 'theirs' })
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ticket 1 saved').waitFor()
    expect(await read()).toMatchObject({ title: 'mine' })
  })

  it('of a single object are kept and checked, too', async () => {
    const { page, server } = await openPage({
      data: { profile: { name: 'Ada', age: 1 }, posts: [] },
      at: '#/data/profile',
    })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('name').fill('mine')
    await page.getByRole('link', { name: 'posts 0' }).click()
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    await fetch(`${server.url}/profile`, json('PATCH', { age: 2 }))
    await page.getByRole('alert').getByText('1 → 2').waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).headers()['if-match']).toMatch(/^W?\/?"/)
    await page.getByText('Profile saved').waitFor()
    expect(await (await fetch(`${server.url}/profile`)).json()).toEqual({ name: 'mine', age: 2 })
  })

  it('outlive the row: it can be created again with them', async () => {
    const { page, server, title, read } = await openForm()
    await title.fill('mine')
    await fetch(`${server.url}/tickets/1`, { method: 'DELETE' })
    await page.getByRole('alert').getByText('This row was deleted elsewhere.').waitFor()
    expect(await title.inputValue()).toBe('mine')
    await page.getByRole('button', { name: 'Create again' }).click()
    await page.getByText('Ticket 1 created').waitFor()
    expect(await read()).toEqual({ ...helpDesk().tickets[0], title: 'mine' })
  })

  it('end with the row if nothing was typed', async () => {
    const { page, server, title } = await openForm()
    await fetch(`${server.url}/tickets/1`, { method: 'DELETE' })
    await title.waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText('404').waitFor()
  })
})
