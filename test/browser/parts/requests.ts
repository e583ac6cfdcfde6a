import { expect, it } from 'vitest'
import { fitsWidth, PHONE, seriousIn } from './appearance.ts'
import { openPage } from './open-page.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

export function requestTests(): void {
  it('shows requests from before it was opened', async () => {
    const { page, server } = await openPage({ at: 'nowhere' })
    await fetch(`${server.url}/products?nmae=x`, { headers: { 'X-Trace': 'before' } })
    await page.goto(`${server.url}/#/requests`)
    await page.getByRole('button', { name: '/products?nmae=x' }).click()
    await page.getByText('X-Trace').or(page.getByText('x-trace')).first().waitFor({ state: 'attached' })
    await page.getByText('Ignored nmae').waitFor()
    await fetch(`${server.url}/products/1`)
    await page.getByRole('button', { name: '/products/1' }).waitFor()
  })

  it('shows requests as they happen, and which layer refused one and why', async () => {
    const { page, server } = await openPage({
      at: '#/requests',
      middlewares: ['jwt'],
      jwt: { secret: 's'.repeat(32) },
    })
    await page.getByText('Live').waitFor()
    await fetch(`${server.url}/products/1`)
    await fetch(`${server.url}/products`, { method: 'POST', headers: JSON_TYPE, body: '{}' })
    const rows = page.locator('.requests tbody tr')
    await rows.nth(1).waitFor()
    // The newest first.
    expect(await rows.first().textContent()).toMatch(
      /401POST\/productsRefused by jwt · AUTH_REQUIRED[\d.]+ ms\d+ B$/,
    )
    expect(await rows.nth(1).textContent()).toMatch(/200GET\/products\/1[\d.]+ ms\d+ B$/)
    await rows.first().click()
    await page.locator('.panel').getByText('Refused by jwt · AUTH_REQUIRED').waitFor()
    await page.getByText('Log in with POST /login').first().waitFor()
  })

  it('marks what was refused or ignored, and shows the status, on a phone, too', async () => {
    const { page, server } = await openPage({ at: '#/requests', middlewares: ['jwt'], context: PHONE })
    await page.getByText('Live').waitFor({ state: 'attached' })
    await fetch(`${server.url}/products?price=10`)
    await fetch(`${server.url}/products?pirce=10`)
    await fetch(`${server.url}/products`, { method: 'POST', headers: JSON_TYPE, body: '{}' })
    const rows = page.locator('.requests tbody tr')
    await rows.nth(2).waitFor()
    const edges = await page.evaluate(
      '[...document.querySelectorAll(".requests td:first-child")].map((td) => getComputedStyle(td).boxShadow !== "none")',
    )
    expect(edges).toEqual([true, true, false])
    await rows.nth(0).getByText('Refused by jwt').waitFor()
    await rows.nth(1).getByText('Ignored pirce').waitFor()
    const status = await rows.nth(0).getByText('401').boundingBox()
    expect((status?.x ?? 999) + (status?.width ?? 0)).toBeLessThan(PHONE.viewport.width)
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
  })

  it('shows headers and bodies of one request, secrets masked', async () => {
    const { page, server } = await openPage({ at: '#/requests' })
    await page.getByText('Live').waitFor()
    await fetch(`${server.url}/products?token=hush`, {
      method: 'POST',
      headers: { ...JSON_TYPE, Authorization: 'Bearer hush', Cookie: 'a=hush', 'X-Trace': 'seen' },
      body: '{"name":"new","password":"hush"}',
    })
    await page.getByRole('button', { name: '/products?token=***' }).click()
    const request = page.getByRole('region', { name: 'Request', exact: true })
    await request.getByText('Headers').click()
    await request.getByText('seen').waitFor()
    await request.getByText('"name":"new"').waitFor()
    await page.getByRole('region', { name: 'Response' }).getByText('"id": 61').waitFor()
    expect(await page.content()).not.toContain('hush')
  })

  it('pauses, goes on with what came meanwhile, filters and clears', async () => {
    const { page, server } = await openPage({ at: '#/requests' })
    await page.getByText('Live').waitFor()
    await fetch(`${server.url}/products/1`)
    await page.getByRole('button', { name: '/products/1' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await fetch(`${server.url}/companies/404`)
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor()
    expect(await page.getByRole('button', { name: '/companies/404' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume (1 new)' }).click()
    await page.getByRole('button', { name: '/companies/404' }).waitFor()
    await page.getByLabel('Filter requests').fill('get 404')
    expect(await page.locator('.requests tbody tr').count()).toBe(1)
    await page.getByLabel('Filter requests').fill('')
    await page.getByLabel('Kind of response').selectOption('Done')
    await page.getByRole('button', { name: '/companies/404' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Requests appear here').waitFor()
  })

  it("leaves out the page's own requests, unless asked for them", async () => {
    const { page } = await openPage({ at: '#/data/products' })
    await page.getByText('Live').waitFor()
    await page.getByRole('button', { name: 'price' }).click()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('Requests appear here').waitFor()
    await page.getByLabel("Show this page's requests").check()
    await page.getByRole('button', { name: '/products?_sort=price&_page=1&_limit=25' }).first().waitFor()
  })

  it('copies a request as it was sent, and says when secrets were left out', async () => {
    const { page, server } = await openPage({
      at: '#/requests',
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await page.getByText('Live').waitFor()
    const url = `${server.url}/products`
    const plain = '{"author":"Ann","authorId":1,"secretary":"Bob","tokens":12}'
    const headers = { 'Content-Type': 'text/plain', 'X-Trace': "it's $HOME", Authorization: 'Bearer hush' }
    await fetch(url, { method: 'POST', headers, body: plain })
    await fetch(`${url}/1`, { method: 'PUT', headers: JSON_TYPE, body: '{"password":"hush"}' })

    const copy = async (name: string): Promise<unknown> => {
      await page.getByRole('button', { name, exact: true }).click()
      await page.locator('summary', { hasText: 'Copy' }).click()
      await page.getByRole('button', { name: 'curl', exact: true }).click()
      await page.getByText('Copied as curl').last().waitFor()
      return page.evaluate('navigator.clipboard.readText()')
    }
    expect(await copy('/products')).toBe(
      `curl -X POST '${url}' -H 'content-type: text/plain' -H 'x-trace: it'\\''s $HOME' ` +
        `-H "authorization: Bearer $TOKEN" --data-raw '${plain}'`,
    )
    expect(await page.getByText('Secrets are left out').count()).toBe(0)
    expect(await copy('/products/1')).toContain(`--data-raw '{"password":"***"}'`)
    await page.getByText('Copied as curl. Secrets are left out: put them in place of ***.').waitFor()
  })
}
