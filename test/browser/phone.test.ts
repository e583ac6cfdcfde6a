import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const games = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, title: `Game ${at + 1}`, score: at }))
const NAMES = ['Data', 'Query', 'API', 'Requests', 'History', 'Faults', 'Service']

/** Buttons in a bar with nothing beside them in their line. */
const ALONE = `[...document.querySelectorAll('.view-head, .filter-bar, .url-bar, .panel .actions')].flatMap((bar) => {
  const shown = [...bar.querySelectorAll('*')].filter((one) => one.clientWidth > 0 && !one.matches('.spring'))
  const lineOf = (one) => one.getBoundingClientRect()
  const isBeside = (one, other) =>
    !one.contains(other) && !other.contains(one) &&
    lineOf(other).top < lineOf(one).bottom && lineOf(one).top < lineOf(other).bottom
  return shown
    .filter((one) => one.matches('button, summary') && !shown.some((other) => isBeside(one, other)))
    .map((one) => one.textContent.trim())
})`

/** The name of the current tab, if it is shown whole, where nothing fades. */
const WHOLE = `(() => {
  const nav = document.querySelector('nav[aria-label="Views"]')
  const current = nav.querySelector('[aria-current]')
  const [frame, tab] = [nav, current].map((one) => one.getBoundingClientRect())
  const end = frame.right - parseFloat(getComputedStyle(nav).paddingRight)
  return tab.left >= frame.left && tab.right <= end + 1 ? current.firstChild.textContent : ''
})()`

describe.skipIf(CHROMIUM === undefined)('the page on a phone', { timeout: 60_000 }, () => {
  afterAll(closeBrowser)

  const open = (at: string) =>
    openPage({ data: { games }, at, context: { viewport: { width: 390, height: 844 } } })

  it('leaves no button alone in a line', async () => {
    const { page } = await open('#/data/games')
    await page.getByText('1–25 of 30').waitFor()
    expect(await page.evaluate(ALONE)).toEqual([])
    await page.evaluate("location.hash = '#/data/games/.3'")
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    expect(await page.evaluate(ALONE)).toEqual([])
    await page.evaluate("location.hash = '#/query'")
    await page.getByRole('button', { name: 'Send' }).waitFor()
    expect(await page.evaluate(ALONE)).toEqual([])
  })

  it('reaches every tab, shown whole, and fades the rest where there are more', async () => {
    const { page, server } = await open('#/data/games')
    await server.faults.add({ match: { path: '/nowhere' }, status: 503 })
    await page.getByText('1–25 of 30').waitFor()
    expect(await page.evaluate('getComputedStyle(document.querySelector("nav")).maskImage')).toContain(
      'linear',
    )
    for (const name of NAMES) {
      await tab(page, name).click()
      await expect.poll(() => page.evaluate(WHOLE)).toBe(name)
    }
  })

  it('brings the response to a query into view', async () => {
    const { page } = await open('#/query')
    await page.getByRole('button', { name: 'Send' }).click()
    const status = page.getByRole('region', { name: 'Response' }).getByText('200').first()
    await status.waitFor()
    await expect.poll(async () => (await status.boundingBox())?.y).toBeLessThan(400)
  })
})

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
