import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../../support/folder.ts'
import { auditIn, told } from './appearance.ts'
import { openPage } from './open-page.ts'

export function ignoredTests(): void {
  it('shows with a request what of it had no effect, and what was probably meant', async () => {
    const { page, server } = await openPage({ at: '#/requests' })
    await page.getByText('Live').waitFor()
    await fetch(`${server.url}/products?pirce_gt=50`)
    await page.getByRole('button', { name: '/products?pirce_gt=50' }).click()
    const note = page.getByRole('region', { name: 'Not understood' })
    expect(await note.textContent()).toContain('pirce_gt had no effect: no row has this field')
    expect(await note.textContent()).toContain('Did you mean price_gt?')
    await fetch(`${server.url}/products?price_gt=50`)
    await page.getByRole('button', { name: '/products?price_gt=50' }).click()
    await note.waitFor({ state: 'detached' })
  })

  it('shows it beside the response of a query, and a click sends what was meant', async () => {
    const { page } = await openPage({ at: '#/query' })
    await page.getByText('Live').waitFor()
    const url = page.getByLabel('Path and query')
    await url.fill('/products?pirce_gt=580&_limit=5')
    await url.press('Enter')
    const response = page.getByRole('region', { name: 'Response' })
    const note = response.getByRole('region', { name: 'Not understood' })
    await note.getByRole('button', { name: 'price_gt' }).click()
    await note.waitFor({ state: 'detached' })
    expect(await url.inputValue()).toBe('/products?price_gt=580&_limit=5')
    await response.getByText('"Product 59"').waitFor()
  })

  it.each([
    ['/products?price_between=10', 'price_between=10,20', '/products?price_between=10,20'],
    ['/products?_per_page=5&_limit=3', '_per_page without _limit', '/products?_per_page=5'],
    ['/product?price=10', '/products', '/products?price=10'],
  ])('turns %s by the suggestion %s into %s', async (path, suggestion, expected) => {
    const { page } = await openPage({ at: `#/query?${encodeURIComponent(path)}` })
    await page.getByText('Live').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    const note = page.getByRole('region', { name: 'Not understood' })
    await note.getByRole('button', { name: suggestion, exact: true }).click()
    await note.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Response' }).getByText('200', { exact: true }).waitFor()
    expect(await page.getByLabel('Path and query').inputValue()).toBe(expected)
  })

  it('explains in words how a query is understood, and what it takes to run it', async () => {
    const path = '/products?price_gte=580&nmae=x&q=product&_sort=-price&_expand=company&_limit=5'
    const { page } = await openPage({ at: `#/query?${encodeURIComponent(path)}` })
    await page.getByRole('button', { name: 'Explain' }).click()
    const response = page.getByRole('region', { name: 'Response' })
    const part = (title: string) =>
      response.locator('.explanation > div', { has: page.locator('dt', { hasText: title }) }).locator('dd')
    await response.getByRole('heading', { name: 'How this query is understood' }).waitFor()
    expect(await part('Filters').allTextContents()).toEqual(['price is at least 580'])
    expect(await part('Search').allTextContents()).toEqual(['“product” in any field'])
    expect(await part('Sort').allTextContents()).toEqual(['price, descending'])
    expect(await part('Window').allTextContents()).toEqual(['The first 5 rows'])
    expect(await part('Relations').allTextContents()).toEqual(['expand company'])
    expect(await part('Rows').textContent()).toMatch(/^\d+ examined, 3 matched$/)
    expect(await part('Time').textContent()).toMatch(/^[\d.]+ ms$/)

    // The address is that of the query, and a suggestion is explained again.
    expect(await page.getByLabel('Path and query').inputValue()).toBe(path)
    await response.getByRole('button', { name: 'name' }).click()
    await response.getByRole('region', { name: 'Not understood' }).waitFor({ state: 'detached' })
    expect(await part('Filters').allTextContents()).toEqual(['price is at least 580', 'name is x'])
    await page.getByRole('button', { name: 'Send' }).click()
    await response.getByRole('status').waitFor()
  })

  it('names the index that was used', async () => {
    const folder = folderOf()
    const source = join(folder, 'db.json')
    const rows = Array.from({ length: 1000 }, (_, index) => ({ id: index + 1, company_id: index % 500 }))
    await writeFile(source, JSON.stringify({ products: rows }))
    const { page } = await openPage({ at: '#/query?%2Fproducts%3Fcompany_id%3D2', source })
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('equality index on company_id').waitFor()
    await page.getByText(/^\d examined, 2 matched$/).waitFor()
  })

  it('shows a refusal to explain like any other', async () => {
    const { page } = await openPage({ at: '#/query?%2Fproducts%3F_where%3D%7B' })
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('alert').getByText('400 INVALID_QUERY').waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'is accessible, and fits a phone, with every control in use (%s)',
    async (colorScheme) => {
      const path =
        '/products?price_between=1,9&name_in=a,b&name_null=false&nmae=x&_sort=price,company.name&_expand=company.products&_fields=id'
      const { page, faults } = await openPage({
        at: `#/query?${encodeURIComponent(path)}`,
        context: { colorScheme, bypassCSP: true, viewport: { width: 360, height: 740 }, isMobile: true },
      })
      await page.locator('summary', { hasText: 'Fields' }).click()
      await page.locator('summary', { hasText: 'Conditions' }).click()
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.getByRole('region', { name: 'Not understood' }).waitFor()
      expect((await auditIn(page)).map(told)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect(faults).toEqual([])
    },
  )
}
