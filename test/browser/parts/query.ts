import { expect, it } from 'vitest'
import { openPage } from './open-page.ts'

export function queryTests(): void {
  it('builds _like, ranges, q, _sort, _expand and pages into a URL, and shows the whole response', async () => {
    const { page } = await openPage({ at: '#/query' })
    const url = page.getByLabel('Path and query')
    await page.getByLabel('Resource').selectOption('products')
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Field', { exact: true }).fill('name')
    await page.getByLabel('Comparison').selectOption('matches')
    await page.getByLabel('Value').fill('^product [12]')
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Field', { exact: true }).last().fill('price')
    await page.getByLabel('Comparison').last().selectOption('at least')
    await page.getByLabel('Value').last().fill('150')
    await page.getByPlaceholder('q').fill('product')
    await page.getByRole('button', { name: 'Add sorting' }).click()
    await page.getByLabel('Sort by').fill('price')
    await page.getByLabel('Direction').selectOption('descending')
    await page.getByRole('checkbox', { name: 'company' }).check()
    await page.getByLabel('Limit').fill('2')
    expect(await url.inputValue()).toBe(
      '/products?q=product&name_like=%5Eproduct%20%5B12%5D&price_gte=150&_sort=price&_order=desc&_expand=company&_page=1&_limit=2',
    )

    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response' })
    await response.getByText('200', { exact: true }).waitFor()
    expect(await response.getByRole('status').textContent()).toMatch(/^200 OK \d.* ms .* [kB]+$/)
    await response.getByText('"Product 29"').waitFor()
    await response.locator('summary', { hasText: 'Headers' }).click()
    await response.getByText('x-total-count', { exact: true }).waitFor()
    await response.getByRole('button', { name: 'Text' }).click()
    await response.getByText('"name": "Company Naples"').waitFor()
  })

  it('embeds children, and one item at a time', async () => {
    const { page } = await openPage({ at: '#/query' })
    await page.getByLabel('Resource').selectOption('companies')
    await page.getByRole('checkbox', { name: 'products' }).check()
    await page.getByLabel('One item').fill('2')
    await page.getByLabel('Limit').fill('')
    await page.getByLabel('Page').fill('')
    expect(await page.getByLabel('Path and query').inputValue()).toBe('/companies/2?_embed=products')
    await page.getByLabel('Path and query').press('Enter')
    await page.getByRole('region', { name: 'Response' }).getByText('products').click()
    await page.getByText(/^\[12\] 2, 7, 12/).waitFor()
  })

  it('reads a URL that is typed into the controls', async () => {
    const { page } = await openPage({ at: '#/query' })
    await page.getByLabel('Path and query').fill('/products?price_lte=20&_start=1&_end=9')
    expect(await page.getByLabel('Field', { exact: true }).inputValue()).toBe('price')
    expect(await page.getByLabel('Comparison').inputValue()).toBe('_lte')
    expect(await page.getByLabel('End').inputValue()).toBe('9')
  })

  it('shows a refusal as a response like any other', async () => {
    const { page } = await openPage({ at: '#/query' })
    await page.getByLabel('Path and query').fill('/products/%zz')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('400 MALFORMED_URL').waitFor()
  })
}
