import { expect, it } from 'vitest'
import { fitsWidth, PHONE, seriousIn } from './appearance.ts'
import { openPage } from './open-page.ts'

export function referenceTests(): void {
  it('shows what a resource has and takes, ready to copy, by keyboard alone', async () => {
    const { page, server, faults } = await openPage({
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'API' }).click()
    await page.getByRole('link', { name: 'OpenAPI document' }).waitFor()
    expect(await page.title()).toBe('API · restable')
    await page.getByRole('navigation', { name: 'API' }).getByRole('link', { name: 'products' }).click()
    const fields = page.getByRole('table')
    await fields.getByRole('row', { name: 'company_id integer always present id of companies' }).waitFor()
    expect(await page.getByRole('link', { name: 'JSON Schema' }).getAttribute('href')).toBe(
      `${server.url}/__schema/products`,
    )

    const endpoint = page.locator('details', { hasText: 'List products' }).first()
    await endpoint.locator('summary').first().focus()
    await page.keyboard.press('Enter')
    await endpoint.getByText('Fields to sort by').waitFor()
    await endpoint.getByText('INVALID_QUERY').waitFor()
    await endpoint.getByText('_between').first().waitFor()
    await endpoint.getByRole('button', { name: 'fetch', exact: true }).first().click()
    await endpoint.getByText(`await fetch('${server.url}/products')`).waitFor()
    await endpoint.locator('summary', { hasText: 'Copy' }).click()
    await endpoint.locator('.menu-items').getByRole('button', { name: 'curl', exact: true }).click()
    await page.getByText('Copied as curl').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`curl '${server.url}/products'`)
    await endpoint.getByRole('link', { name: 'Query' }).click()
    await page.getByLabel('Path and query').waitFor()
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#/query?/products')
    expect(faults).toEqual([])
  })

  it('lists the resources first, and folds away what the server has for itself', async () => {
    const { page } = await openPage({ at: '#/api' })
    const titles = page.getByRole('heading', { level: 2 })
    await titles.first().waitFor()
    expect(await titles.allTextContents()).toEqual([
      'Resources',
      'Other endpoints',
      'Endpoints of the server itself',
    ])
    expect(await page.locator('code.path', { hasText: '/__' }).first().isVisible()).toBe(false)
    await page.getByText('Endpoints of the server itself').click()
    await page.locator('code.path', { hasText: '/__events' }).click()
    await page.getByText('Live requests and changes').last().waitFor()
    // A stream never ends.
    expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0)
    await page.getByRole('region', { name: 'Resources' }).getByRole('link', { name: 'companies' }).click()
    await page.getByRole('heading', { name: 'companies' }).waitFor()
  })

  it.each([
    ['Get a company', 'GET', '/companies/2', undefined, '200', 'Company Milan'],
    ['Create a company', 'POST', undefined, '{ "name": "Bari" }', '201', '"Bari"'],
    ['Replace a company', 'PUT', '/companies/2', '{ "name": "Bari" }', '200', '"Bari"'],
    ['Change fields of a company', 'PATCH', '/companies/2', '{ "name": "Bari" }', '200', '"Bari"'],
    ['Delete a company', 'DELETE', '/companies/2', undefined, '200', '{ }'],
  ])('tries it: %s', async (summary, method, path, body, status, shown) => {
    const { page, server, faults } = await openPage({ at: '#/api/companies', context: PHONE })
    const endpoint = page.locator('details', { hasText: summary }).first()
    await endpoint.locator('summary').first().click()
    await endpoint.getByRole('button', { name: 'Try it' }).click()
    const form = endpoint.getByRole('form', { name: 'Try it' })
    if (path !== undefined) await form.getByLabel('Path and query').fill(path)
    if (body !== undefined) await form.getByLabel('Body', { exact: true }).fill(body)
    const sent = page.waitForRequest((request) => request.url().startsWith(`${server.url}/companies`))
    await form.getByRole('button', { name: 'Send' }).click()
    expect((await sent).method()).toBe(method)
    const response = form.getByRole('region', { name: 'Response' })
    await response.getByText(status, { exact: true }).waitFor()
    await response.getByText(shown).first().waitFor()
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    expect(faults).toEqual([])
  })

  it('shows a field that a client has just added', async () => {
    const { page, server } = await openPage({ at: '#/api/companies' })
    await page.getByText('Live').waitFor()
    await page.getByRole('row', { name: 'revenue' }).waitFor()
    await fetch(`${server.url}/companies/1`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"founded":"1999-12-31"}',
    })
    await page.getByRole('row', { name: 'founded string (date)' }).waitFor()
  })

  it('asks for the key, and tells what guards an endpoint, without the key in its examples', async () => {
    const { page } = await openPage({ at: '#/api/products', middlewares: ['api-key'] })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('401 API_KEY_MISSING').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'API key' }).fill('web-client-key-001')
    await page.getByRole('button', { name: 'Continue' }).click()
    const endpoint = page.locator('details', { hasText: 'Delete a product' }).first()
    await endpoint.locator('summary').first().click()
    await endpoint.getByText('Needs api-key (header X-API-KEY).').waitFor()
    await endpoint.getByText('-H "X-API-KEY: $API_KEY"').waitFor()
    await endpoint.getByText('FORBIDDEN_WRITE').waitFor()
  })

  it('says so where the server does not describe itself', async () => {
    const { page } = await openPage({ at: '#/api', hosted: { variant: 'public' } })
    await page.getByText('This server does not describe its API: it has no /__openapi.').waitFor()
  })

  it('is readable, on a phone and in the dark, too', async () => {
    const { page, faults } = await openPage({ at: '#/api', context: PHONE })
    await page.getByText('Other endpoints').waitFor()
    expect(await fitsWidth(page)).toBe(true)
    await page.getByRole('link', { name: 'companies' }).last().click()
    await page.locator('summary', { hasText: 'List companies' }).click()
    await page.getByText('Fields to sort by').waitFor()
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    expect(faults).toEqual([])
  })
}
