import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { PHONE } from './parts/appearance.ts'
import { type OpenOptions, openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const games = () =>
  Array.from({ length: 60 }, (_, at) => ({
    id: at + 1,
    title: `Game ${at + 1}`,
    score: (at * 7) % 60,
    // Where the rows are sorted by score, longer names come first.
    studio: 'x'.repeat(1 + (((at * 7) % 60) % 30)),
    active: at % 2 === 0,
  }))

const open = (options: OpenOptions = {}) =>
  openPage({
    at: '#/data/games',
    data: { games: games() },
    context: { bypassCSP: true, viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
    ...options,
  })

const notices = (page: Page) => page.locator('.notice')
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.dataset.field ?? document.activeElement.textContent.trim()')

/** Waits until an element has the focus: what React to it, such as a response, comes later. */
const focusIs = (page: Page, text: string | RegExp) => expect.poll(() => focused(page)).toMatch(text)

describe.skipIf(CHROMIUM === undefined)('the page under hand and keyboard', { timeout: 60_000 }, () => {
  afterAll(closeBrowser)

  it('keeps rows where they are while they are ticked', async () => {
    const { page } = await open()
    const tick = (at: number) => page.getByLabel(`Select game ${at}`, { exact: true })
    const [third, fourth] = [await tick(3).boundingBox(), await tick(4).boundingBox()]
    if (!third || !fourth) throw new Error('The rows are not shown')
    await page.mouse.click(third.x + 5, third.y + 5)
    await page.getByText('1 game selected').waitFor()
    await page.mouse.click(fourth.x + 5, fourth.y + 5)
    await page.getByText('2 games selected').waitFor()
    expect(await tick(3).isChecked()).toBe(true)
    expect(await tick(4).isChecked()).toBe(true)
    expect(await tick(3).boundingBox()).toEqual(third)
  })

  it('keeps columns where they are while they sort', async () => {
    const { page } = await open()
    const heading = page.getByRole('columnheader', { name: 'score' })
    const box = await heading.boundingBox()
    if (!box) throw new Error('The column is not shown')
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const
    await page.mouse.click(...middle)
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('link', { name: '1', exact: true }).first().waitFor()
    expect(await heading.boundingBox()).toEqual(box)
    await page.mouse.click(...middle)
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
    expect(await heading.boundingBox()).toEqual(box)
  })

  it('sends nothing for an unchanged form', async () => {
    const { page } = await open({ at: '#/data/games/.3' })
    const written: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') written.push(request.method())
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    expect(await notices(page).count()).toBe(0)
    expect(written).toEqual([])
  })

  it.each([
    ['a desk', { width: 1280, height: 800 }],
    ['a phone', PHONE.viewport],
  ] as const)(
    'shows one message at a time, beside forms and only in its view, on %s',
    async (_, viewport) => {
      const { page } = await open({
        at: '#/data/games/.3',
        context: { bypassCSP: true, viewport, colorScheme: 'light' },
      })
      for (const score of ['1000', '1001']) {
        await page.getByRole('button', { name: 'Edit' }).click()
        await page.getByLabel('score', { exact: true }).fill(score)
        const button = page.getByRole('button', { name: 'Save' })
        const save = await button.boundingBox()
        await button.click()
        const shown = await notices(page).boundingBox()
        if (!save || !shown) throw new Error('Nothing is shown')
        expect(await notices(page).count()).toBe(1)
        expect(
          shown.y + shown.height <= save.y ||
            save.y + save.height <= shown.y ||
            shown.x + shown.width <= save.x,
        ).toBe(true)
      }
      await page.evaluate("location.hash = '#/history'")
      await expect.poll(() => notices(page).count()).toBe(0)
    },
  )

  it('takes a message away by itself, unless the pointer is on it', async () => {
    const { page, server } = await open({ at: '#/data/games/.3' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('title', { exact: true }).fill('Chess')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Game 3 saved').hover()
    await page.waitForTimeout(4500)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => server.db.get('games').find({ id: 3 }).value()?.title).toBe('Game 3')
    await expect.poll(() => notices(page).count(), { timeout: 10_000 }).toBe(0)
  })

  it('creates, edits, deletes, undoes and filters by keyboard alone', async () => {
    const { page, server, faults } = await open()
    await page.getByText('Live').waitFor()
    const game = (id: number) => server.db.get('games').find({ id }).value()
    const press = (...keys: readonly string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    const tabTo = async (name: RegExp) => {
      await page.getByRole('button', { name }).first().waitFor()
      for (let left = 60; left > 0; left--) {
        if (name.test(await focused(page))) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not lead to ${name}`)
    }
    // Create: the first field has the focus, Enter saves.
    await tabTo(/^New$/)
    await press('Enter')
    await focusIs(page, /^title$/)
    await page.keyboard.type('Go')
    await press('Enter')
    await page.locator('.notice', { hasText: 'Game 61 created' }).getByText('Undo').waitFor()
    expect(game(61)?.title).toBe('Go')
    await press('Control+Z')
    await expect.poll(() => game(61)).toBeUndefined()
    await press('Escape')
    await expect.poll(() => page.evaluate<string>('location.hash')).toBe('#/data/games')
    // Edit: from the row, and back to it.
    await page.evaluate('document.activeElement.blur()')
    await press('ArrowDown', 'ArrowDown', 'Enter')
    await focusIs(page, /^Game 2$/)
    await tabTo(/^Edit$/)
    await press('Enter')
    await focusIs(page, /^title$/)
    await press('Control+A')
    await page.keyboard.type('Chess')
    await press('Enter')
    await page.getByText('Game 2 saved').waitFor()
    await focusIs(page, /^2$/)
    await press('Escape')
    await expect.poll(() => page.evaluate<string>('location.hash')).toBe('#/data/games')
    // Delete, and undo that.
    await focusIs(page, /^2$/)
    await press('Enter')
    await focusIs(page, /^Game 2$/)
    await tabTo(/^Delete$/)
    await press('Enter')
    await page.locator('.notice', { hasText: 'Game 2 deleted' }).getByText('Undo').waitFor()
    await press('Control+Z')
    await expect.poll(() => game(2)?.title).toBe('Chess')
    // Filter: Enter applies, Escape closes.
    await page.getByLabel('Search all fields').focus()
    await tabTo(/^Filter$/)
    await press('Enter')
    await page.locator('.filter-form').waitFor()
    await press('Escape')
    await page.locator('.filter-form').waitFor({ state: 'detached' })
    await page.getByLabel('Search all fields').focus()
    await tabTo(/^Filter$/)
    await press('Enter')
    const value = page.locator('.filter-form input').last()
    await value.press('Control+A')
    await value.pressSequentially('Chess')
    await press('Enter')
    await page.getByText('1–1 of 1').waitFor()
    expect(faults).toEqual([])
  })
})
