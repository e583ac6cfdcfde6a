import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, PHONE, seriousIn } from './parts/appearance.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const LONG = 'A text that is long enough to be cut where there is no room for it, as in this table'

const tickets = () =>
  [1, 2, 3, 4, 5].map((id) => ({
    id,
    title: `Ticket ${id}`,
    openedAt: `2026-03-0${id}T09:30:00`,
    due: `2026-04-0${id}`,
  }))

const DESK = { bypassCSP: true, viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const

function open(data: object = { tickets: tickets(), tags: [] }, options: object = {}) {
  return openPage({ at: '#/data/tickets', data, ...options })
}

describe.skipIf(CHROMIUM === undefined)('the table on the page', () => {
  afterAll(closeBrowser)

  it('selects a range with shift, deletes it in one change, and brings it back with one undo', async () => {
    const { page, server, faults } = await open()
    await page.getByText('Live').waitFor()
    await page.getByLabel('Select ticket 2').click()
    await page.getByLabel('Select ticket 4').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('3 tickets selected').waitFor()
    const sent = page.waitForRequest((request) => request.method() === 'DELETE')
    await bar.getByRole('button', { name: 'Delete' }).click()
    expect(server.count('tickets')).toBe(5)
    await bar.getByRole('button', { name: 'Delete 3 tickets?' }).click()
    expect((await sent).url()).toBe(`${server.url}/tickets?id_in=2,3,4`)
    await page.getByText('3 tickets deleted').waitFor()
    await page.getByText('1–2 of 2').waitFor()
    expect(await bar.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 tickets restored').waitFor()
    expect(server.db.get('tickets').value()).toEqual(tickets())
    expect(faults).toEqual([])
  })

  it('adds rows like these, and takes them back with one undo', async () => {
    const { page, server, faults } = await open()
    await page.getByText('Live').waitFor()
    await page.getByRole('button', { name: 'Add rows like these' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add rows like these' })
    await dialog.getByLabel('Rows').fill('30')
    await dialog.getByLabel('Seed').fill('7')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await dialog.getByRole('button', { name: 'Add' }).click()
    expect((await sent).url()).toBe(`${server.url}/__grow?seed=7`)
    await page.getByText('30 tickets added').waitFor()
    await page.getByText('1–25 of 35').waitFor()
    expect(await dialog.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1–5 of 5').waitFor()
    expect(server.db.get('tickets').value()).toEqual(tickets())
    expect(faults).toEqual([])
  })

  it('brings rows back after other changes, too', async () => {
    const { page, server } = await open()
    await page.getByText('Live').waitFor()
    await page.getByLabel('Select ticket 1').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 1 ticket?' }).click()
    await page.getByText('1 ticket deleted').waitFor()
    await fetch(`${server.url}/tickets/5`, { method: 'DELETE' })
    await page.getByText('1–3 of 3').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 ticket restored').waitFor()
    expect(server.db.get('tickets').map('id').value().toSorted()).toEqual([1, 2, 3, 4])
  })

  it('copies and exports what is selected as the server writes it', async () => {
    const big = '[{ "id": 1, "n": 12345678901234567890 }, { "id": 2, "n": 2 }, { "id": 3, "n": 3 }]'
    const { page } = await open(
      { tickets: JSON.parse(big) },
      {
        context: { permissions: ['clipboard-read', 'clipboard-write'] },
        at: '#/data/tickets?_sort=id&_order=desc',
      },
    )
    const all = page.getByLabel('Select all on this page')
    await all.click()
    await page.getByLabel('Select ticket 2').click()
    expect(await all.evaluate('document.querySelector("thead input").indeterminate')).toBe(true)
    await page.getByRole('button', { name: 'Copy as JSON' }).click()
    await page.getByText('Copied 2 tickets as JSON').waitFor()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(JSON.parse(copied).map(({ id }: { id: number }) => id)).toEqual([3, 1])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('tickets.json')
    expect(await readFile(await file.path(), 'utf8')).toBe(copied)
    await page.getByRole('button', { name: 'Clear selection' }).click()
    expect(await page.locator('tbody input:checked').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Select all on this page')
  })

  it('says why selected rows cannot be deleted, and keeps them selected', async () => {
    const { page } = await open(undefined, {
      faults: { rules: [{ match: { method: 'DELETE' }, status: 503 }] },
    })
    await page.getByLabel('Select ticket 1').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 1 ticket?' }).click()
    await page.getByRole('alert').getByText('503').waitFor()
    expect(await page.getByLabel('Select ticket 1').isChecked()).toBe(true)
  })

  it('goes to the last page when the one shown was deleted', async () => {
    const { page } = await open(undefined, { at: '#/data/tickets?_page=3&_limit=2' })
    await page.getByText('5–5 of 5').waitFor()
    await page.getByLabel('Select all on this page').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 1 ticket?' }).click()
    await page.getByText('3–4 of 4').waitFor()
    await page.getByRole('row', { name: 'Ticket 4' }).waitFor()
  })

  it('hides columns, and remembers it for this collection', async () => {
    const { page } = await open()
    const titles = () => page.locator('thead button').allTextContents()
    await page.getByRole('row', { name: 'Ticket 1' }).waitFor()
    const menu = page.locator('summary', { hasText: 'Columns' })
    await menu.click()
    await page.getByLabel('due', { exact: true }).uncheck()
    expect(await titles()).toEqual(['id', 'title', 'openedAt'])
    await page.reload()
    await page.getByText('1 hidden').waitFor()
    expect(await titles()).toEqual(['id', 'title', 'openedAt'])
    await menu.click()
    await page.getByRole('button', { name: 'Reset columns' }).click()
    expect(await titles()).toEqual(['id', 'title', 'openedAt', 'due'])
  })

  it('resizes columns by mouse and by keyboard, and remembers it', async () => {
    const { page } = await open()
    const heading = page.getByRole('columnheader', { name: 'title' })
    const width = async () => Math.round((await heading.boundingBox())?.width ?? 0)
    await heading.waitFor()
    const box = await heading.locator('.resize-edge').boundingBox()
    if (!box) throw new Error('There is no edge.')
    const before = await width()
    await page.mouse.move(box.x + 4, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x + 4 - 60, box.y + 5)
    await page.mouse.up()
    await expect.poll(width).toBe(before - 60)
    await heading.getByRole('button').press('Shift+ArrowRight')
    await expect.poll(width).toBe(before - 44)
    expect(await heading.getAttribute('aria-sort')).toBe('none')
    await page.reload()
    await expect.poll(width).toBe(before - 44)
    await heading.locator('.resize-edge').dblclick()
    await expect.poll(width).not.toBe(before - 44)
  })

  it('shows dates as people write them, and the value itself on hover', async () => {
    const { page } = await open()
    const row = page.getByRole('row', { name: 'Ticket 1' })
    await row.waitFor()
    expect(
      (await row.locator('time').allTextContents()).map((text) => text.replaceAll('\u202f', ' ')),
    ).toEqual(['Mar 1, 2026, 9:30 AM', 'Apr 1, 2026'])
    await page.getByTitle('2026-03-01T09:30:00', { exact: true }).waitFor()
  })

  it('is driven by keys: / searches, arrows move, Enter opens', async () => {
    const { page } = await open()
    await page.getByRole('row', { name: 'Ticket 1' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ticket')
    await page.getByText('/tickets?q=ticket').waitFor()
    expect(await page.getByLabel('Search all fields').inputValue()).toBe('ticket')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ticket 2' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Select ticket 2').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('1 ticket selected').waitFor()
    expect(await page.getByLabel('Select ticket 3').isChecked()).toBe(true)
  })

  it('says that there is nothing yet, or that nothing matches, with the way out', async () => {
    const { page } = await open({ tickets: tickets(), order_items: [] }, { at: '#/data/order_items' })
    await page.getByText('No order items yet').waitFor()
    expect(await page.getByText(' of 0').count()).toBe(0)
    await page.getByRole('button', { name: 'New order item' }).click()
    await page.getByRole('heading', { name: 'New order item' }).waitFor()
    await page.evaluate("location.hash = '#/data/tickets?q=nowhere&title=x'")
    await page.getByText('No tickets match').waitFor()
    expect(await page.getByLabel('Search all fields').inputValue()).toBe('nowhere')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1–5 of 5').waitFor()
    expect(await page.getByLabel('Search all fields').inputValue()).toBe('')
  })

  it('cuts no text beside free space', async () => {
    const rows = [1, 2].map((id) => ({ id, title: LONG, due: '2026-04-01' }))
    const { page } = await open({ tickets: rows }, { context: DESK })
    await page.getByRole('cell', { name: LONG }).first().waitFor()
    const isCut = '[...document.querySelectorAll(".grid td")].some((td) => td.scrollWidth > td.clientWidth)'
    expect(await page.evaluate(isCut)).toBe(false)
  })

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('is readable on %s, with rows selected and a menu open', async (_, context) => {
    const { page, faults } = await open(undefined, { context })
    await page.getByLabel('Select ticket 2').click()
    await page.locator('summary', { hasText: 'Columns' }).click()
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    await page.evaluate("location.hash = '#/data/tags'")
    await page.getByText('No tags yet').waitFor()
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    expect(faults).toEqual([])
  })
})
