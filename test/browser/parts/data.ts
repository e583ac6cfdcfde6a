import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { create, defaults, router } from '../../../src/index.ts'
import { openPage } from './open-page.ts'

/** The cells of a column, top to bottom, behind the checkboxes. */
const column = (place: number) => `.grid tbody tr > :nth-child(${place + 1})`

export function dataTests(): void {
  it('lists every collection and object with its count', async () => {
    const { page } = await openPage({ data: { products: [{ id: 1 }, { id: 2 }], profile: { name: 'Ada' } } })
    const nav = page.getByRole('navigation', { name: 'Resources' })
    await nav.getByRole('link', { name: 'products 2' }).waitFor()
    await nav.getByRole('link', { name: 'profile object' }).click()
    await page.getByText('Ada').waitFor()
  })

  it('sorts, filters, searches and pages through the API, and shows the URL it asked', async () => {
    const { page } = await openPage()
    const url = page.locator('.url-bar .url')
    await page.locator('.grid tbody tr').nth(24).waitFor()
    expect(await url.textContent()).toBe('/products?_page=1&_limit=25')

    await page.getByRole('button', { name: 'price' }).click()
    await page.getByRole('button', { name: 'price' }).click()
    await page.getByRole('row', { name: 'Product 60' }).waitFor()
    expect(await page.locator(column(3)).first().textContent()).toBe('600')
    expect(await page.getByRole('columnheader', { name: 'price' }).getAttribute('aria-sort')).toBe(
      'descending',
    )

    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Field', { exact: true }).fill('price')
    await page.getByLabel('Comparison').selectOption('at most')
    await page.getByLabel('Value').fill('300')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1–25 of 30').waitFor()
    expect(await url.textContent()).toBe('/products?price_lte=300&_sort=price&_order=desc&_page=1&_limit=25')

    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('26–30 of 30').waitFor()
    await page.getByLabel('Search all fields').fill('Product 07')
    await page.getByText('1–1 of 1').waitFor()
    await page.goBack()
    await page.getByText('26–30 of 30').waitFor()
  })

  it('filters by a field inside a list', async () => {
    const { page } = await openPage({ at: '#/data/companies?locations.city=Turin' })
    await page.getByText('1–1 of 1').waitFor()
    expect(await page.locator(column(2)).allTextContents()).toEqual(['Company Turin'])
  })

  it('copies the request as URL, as curl and as fetch', async () => {
    const { page, server } = await openPage({
      at: '#/data/products?price_gte=590',
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    const url = `${server.url}/products?price_gte=590&_page=1&_limit=25`
    for (const [label, expected] of [
      ['URL', url],
      ['curl', `curl '${url}'`],
      ['fetch', `const response = await fetch('${url}')\nconst data = await response.json()`],
    ] as const) {
      await page.locator('summary', { hasText: 'Copy' }).click()
      await page.getByRole('button', { name: label, exact: true }).click()
      await page.getByText(`Copied as ${label}`).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(expected)
    }
  })

  it('follows relations both ways: a product to its company, a company to its products', async () => {
    const { page } = await openPage({ at: '#/data/products' })
    await page.getByTitle('Open company 3').first().click()
    await page.getByRole('heading', { name: 'Company 3' }).waitFor()
    await page.getByText('Company Turin').last().waitFor()
    await page
      .getByRole('navigation', { name: 'Related rows' })
      .getByRole('link', { name: 'products' })
      .click()
    await page.getByText('1–12 of 12').waitFor()
    expect(await page.locator('.url-bar .url').textContent()).toBe('/products?company_id=3&_page=1&_limit=25')
  })

  it('shows nested values in one line in the table and in full beside it', async () => {
    const { page } = await openPage({ at: '#/data/companies/.1' })
    await page.getByRole('cell', { name: 'lat 40, lon 10' }).waitFor()
    await page.getByRole('cell', { name: '[1] Rome' }).waitFor()
    const panel = page.getByRole('region', { name: 'Company 1' })
    await panel.getByText('"Rome"').waitFor()
    await panel.getByText('employee_number', { exact: true }).waitFor()
  })

  it("works in an app of the user's own, made of defaults() and router()", async () => {
    const { page } = await openPage()
    const app = create()
    app.use(
      defaults({ logger: false }),
      router({ posts: [{ id: 1, authorId: 7 }], authors: [{ id: 7, name: 'Ada' }] }),
    )
    const server = app.listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.getByText('Not live').waitFor()
    await page.getByTitle('Open author 7').click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('name').fill('Grace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'Grace' }).waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('it has no /__events').waitFor()
  })

  it('fetches one page of 100,000 rows, so that they scroll at once', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1, name: `Row ${index + 1}` }))
    const { page } = await openPage({ data: { rows }, at: '#/data/rows?_limit=100' })
    await page.getByText('1–100 of 100,000').waitFor()
    await page.getByLabel('Page', { exact: true }).fill('1000')
    await page.getByLabel('Page', { exact: true }).press('Enter')
    await page.getByText('Row 100000', { exact: true }).waitFor({ timeout: 30_000 })
    expect(await page.locator('.grid tbody tr').count()).toBe(100)
    // Nothing to compute while scrolling: no frame takes longer than a blink.
    const slowest = await page.evaluate(`new Promise((done) => {
      const frame = document.querySelector('.grid-frame')
      let last = performance.now(), slowest = 0, steps = 0
      requestAnimationFrame(function step(now) {
        slowest = Math.max(slowest, now - last)
        last = now
        frame.scrollTop += 120
        if (++steps < 30) requestAnimationFrame(step)
        else done(slowest)
      })
    })`)
    expect(slowest).toBeLessThan(250)
  })
}
