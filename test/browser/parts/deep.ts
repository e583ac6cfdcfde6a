import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openPage } from './open-page.ts'

const DATA = {
  countries: [
    { id: 1, name: 'Italy' },
    { id: 2, name: 'Austria' },
  ],
  companies: [
    { id: 1, name: 'Rossi', country_id: 1 },
    { id: 2, name: 'Huber', country_id: 2 },
  ],
  products: [
    { id: 1, name: 'Lamp', price: 10, company_id: 1 },
    { id: 2, name: 'Desk', price: 20, company_id: 2 },
  ],
  reviews: [{ id: 1, stars: 5, product_id: 1 }],
}

export function deepTests(): void {
  it("ticks a relation's relations, and unticks them with it", async () => {
    const { page } = await openPage({ at: '#/query?%2Fcompanies', data: DATA })
    const url = page.getByLabel('Path and query')
    await page.getByRole('checkbox', { name: 'products' }).check()
    await page.getByRole('group', { name: 'Relations of products' }).getByLabel('reviews').check()
    await page.getByRole('checkbox', { name: 'country' }).check()
    expect(await url.inputValue()).toBe('/companies?_embed=products.reviews&_expand=country')
    const [first] = await send(page)
    expect(first).toEqual({
      ...DATA.companies[0],
      products: [{ ...DATA.products[0], reviews: DATA.reviews }],
      country: DATA.countries[0],
    })
    await page.getByRole('checkbox', { name: 'reviews' }).uncheck()
    expect(await url.inputValue()).toBe('/companies?_embed=products&_expand=country')
    await page.getByRole('checkbox', { name: 'products' }).uncheck()
    expect(await url.inputValue()).toBe('/companies?_expand=country')
  })

  it('ticks both sides of many to many', async () => {
    const data = { posts: [{ id: 1, tag_ids: [2, 1] }], tags: [{ id: 1 }, { id: 2 }] }
    const { page } = await openPage({ at: '#/query?%2Fposts', data })
    await page.getByRole('checkbox', { name: 'tags' }).check()
    expect(await page.getByLabel('Path and query').inputValue()).toBe('/posts?_embed=tags')
    expect(await send(page)).toEqual([{ ...data.posts[0], tags: [{ id: 2 }, { id: 1 }] }])
    await page.getByLabel('Resource').selectOption('tags')
    await page.getByRole('checkbox', { name: 'posts' }).check()
    expect((await send(page))[0]).toEqual({ id: 1, posts: data.posts })
  })

  it('offers no relation beyond the fifth level', async () => {
    const { page } = await openPage({ at: '#/query?%2Fas%3F_expand%3Da.a.a.a', data: PARTNERS })
    const level = (names: string) => page.getByRole('group', { name: `Relations of ${names}`, exact: true })
    await level('a.a.a.a').waitFor()
    await level('a.a.a.a').getByLabel('a', { exact: true }).check()
    expect(await page.getByLabel('Path and query').inputValue()).toBe('/as?_expand=a.a.a.a.a')
    expect(await level('a.a.a.a.a').count()).toBe(0)
    expect((await send(page))[0]?.id).toBe(1)
  })

  it('filters and sorts by the fields of a parent that is attached', async () => {
    const { page } = await openPage({ at: '#/query?%2Fproducts', data: DATA })
    await page.getByRole('checkbox', { name: 'company' }).check()
    await page.getByRole('button', { name: 'Add sorting' }).click()
    await page.locator('option[value="company.name"]').waitFor({ state: 'attached' })
    await page.getByLabel('Sort by').fill('company.name')
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Field', { exact: true }).fill('company.name')
    await page.getByLabel('Comparison').selectOption('contains')
    await page.getByLabel('Value').fill('s')
    expect((await send(page)).map(({ name }) => name)).toEqual(['Lamp'])
    await page.getByRole('button', { name: 'Remove filter company.name' }).click()
    expect((await send(page)).map(({ name }) => name)).toEqual(['Desk', 'Lamp'])
    await page.getByLabel('Direction').selectOption('descending')
    expect((await send(page)).map(({ name }) => name)).toEqual(['Lamp', 'Desk'])
  })

  it('shows the chosen fields only, or all but those', async () => {
    const { page } = await openPage({ at: '#/query?%2Fproducts', data: DATA })
    const url = page.getByLabel('Path and query')
    await page.getByRole('checkbox', { name: 'company' }).check()
    await page.locator('summary', { hasText: 'Fields' }).click()
    await page.getByRole('checkbox', { name: 'name', exact: true }).check()
    await page.getByRole('checkbox', { name: 'company.name' }).check()
    expect(await url.inputValue()).toBe('/products?_expand=company&_fields=name,company.name')
    expect((await send(page))[0]).toEqual({ name: 'Lamp', company: { name: 'Rossi' } })
    await page.getByText('only 2').waitFor()
    await page.getByRole('checkbox', { name: 'name', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'company.name' }).uncheck()
    await page.getByRole('button', { name: 'Leave out' }).click()
    await page.getByRole('checkbox', { name: 'price' }).check()
    await page.getByRole('checkbox', { name: 'company_id', exact: true }).check()
    expect(await url.inputValue()).toBe('/products?_expand=company&_omit=price,company_id')
    expect((await send(page))[0]).toEqual({ id: 1, name: 'Lamp', company: DATA.companies[0] })
  })

  it('knows the fields of children, too', async () => {
    const { page } = await openPage({ at: '#/query?%2Fcompanies%3F_embed%3Dproducts', data: DATA })
    await page.locator('summary', { hasText: 'Fields' }).click()
    await page.getByRole('checkbox', { name: 'products.price' }).check()
    expect((await send(page))[0]).toEqual({ products: [{ price: 10 }] })
  })
}

/** Rows that point at each other, so that relations never end. */
const PARTNERS = { as: [{ id: 1, a_id: 1 }] }

/** What the query returns, as the page shows it. */
async function send(page: Page): Promise<readonly Record<string, unknown>[]> {
  const shown = page.getByRole('region', { name: 'Response' })
  const path = await page.getByLabel('Path and query').inputValue()
  const response = page.waitForResponse((one) => one.url().endsWith(path))
  await page.getByRole('button', { name: 'Send' }).click()
  await response
  await page.locator('.response[aria-busy="false"] .measure').waitFor()
  await shown.getByRole('button', { name: 'Text' }).click()
  return JSON.parse((await shown.locator('pre').textContent()) ?? '')
}
