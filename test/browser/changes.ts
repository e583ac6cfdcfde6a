import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openPage } from './open-page.ts'

export function changeTests(): void {
  it('creates a row from a form, with nested fields as JSON', async () => {
    const { page, server } = await openPage({ at: '#/data/companies' })
    await page.getByRole('button', { name: 'New' }).click()
    await page.getByLabel('name').fill('Company Bari')
    await page.getByLabel('revenue').fill('12.5')
    await page.getByLabel('headquarter').fill('{ "lat": 1, "lon": 2 }')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'companies 6' }).waitFor()
    const saved = await (await fetch(`${server.url}/companies/6`)).json()
    expect(saved).toEqual({
      id: 6,
      name: 'Company Bari',
      revenue: 12.5,
      headquarter: { lat: 1, lon: 2 },
      locations: [],
    })
  })

  it('sends only the fields that were changed', async () => {
    const { page, server } = await openPage({ at: '#/data/products/.1' })
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('price').fill('12.34')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postData()).toBe('{"price":12.34}')
    await page.getByRole('row', { name: 'Product 01 12.34' }).waitFor()
    expect(await (await fetch(`${server.url}/products/1`)).json()).toMatchObject({
      name: 'Product 01',
      price: 12.34,
    })
  })

  it('tells where JSON is broken, refuses to send it, and replaces the row once it is whole', async () => {
    const { page, server } = await openPage({ at: '#/data/products/.1' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    const editor = page.getByLabel('The row as JSON')
    await editor.fill('{\n  "name": "x"\n  "price": 1\n}')
    await page.getByText('Line 3, column 3: expected "," or "}"').click()
    expect(await editor.evaluate('document.activeElement.selectionStart')).toBe(18)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('not JSON yet').waitFor()
    await editor.fill('{ "name": "x", "deep": { "er": [1] } }')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved products 1').waitFor()
    expect(await (await fetch(`${server.url}/products/1`)).json()).toEqual({
      name: 'x',
      deep: { er: [1] },
      id: 1,
    })
  })

  it('carries what was typed from the form to the JSON and back', async () => {
    const { page } = await openPage({ at: '#/data/products/.1' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('name').fill('typed')
    await page.getByRole('button', { name: 'JSON' }).click()
    expect(await page.getByLabel('The row as JSON').inputValue()).toContain('"name": "typed"')
    await page.getByLabel('The row as JSON').fill('{ "name": "typed again", "price": 3 }')
    await page.getByRole('button', { name: 'Form' }).click()
    expect(await page.getByLabel('name').inputValue()).toBe('typed again')
  })

  it('deletes a row and brings it back unchanged', async () => {
    const text = '{"id":7,"name":"kept","big":12345678901234567890}'
    const { page, server } = await openPage({ data: { things: [JSON.parse(text)] }, at: '#/data/things/.7' })
    const before = await (await fetch(`${server.url}/things/7`)).text()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No rows match').waitFor()
    expect((await fetch(`${server.url}/things/7`)).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row', { name: 'kept' }).waitFor()
    expect(await (await fetch(`${server.url}/things/7`)).text()).toBe(before)
  })

  it('shows an error as the server said it', async () => {
    const { page } = await openPage({ at: '#/data/products/new' })
    await page.getByRole('button', { name: 'JSON' }).click()
    await page.getByLabel('The row as JSON').fill('{ "id": 1 }')
    await page.getByRole('button', { name: 'Create' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('409 DUPLICATE_ID').waitFor()
    await alert.getByText('already has an item with id 1').waitFor()
  })

  it('shows what was written elsewhere without a reload, counts included', async () => {
    const { page, server } = await openPage({ at: '#/data/companies' })
    await page.getByText('Live').waitFor()
    await fetch(`${server.url}/companies`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Elsewhere' }),
    })
    await page.getByRole('row', { name: 'Elsewhere' }).waitFor()
    await page.getByRole('link', { name: 'companies 6' }).waitFor()
  })

  it('warns when the row being edited changes elsewhere', async () => {
    const { page, server } = await openPage({ at: '#/data/products/.2' })
    await page.getByText('Live').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await fetch(`${server.url}/products/2`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"other"}',
    })
    await page.getByRole('button', { name: 'Start again from the new version' }).click()
    expect(await page.getByLabel('name').inputValue()).toBe('other')
  })

  it('offers no changes where the server takes none', async () => {
    const { page } = await openPage({ at: '#/data/products/.1', readOnly: true })
    await page.getByRole('heading', { name: 'products 1' }).waitFor()
    await page.getByText('Product 01').last().waitFor()
    expect(await page.getByRole('button', { name: /New|Edit|Delete/ }).count()).toBe(0)
  })

  it('writes nothing that the API would not write: the file is as a client would leave it', async () => {
    const { mkdtemp, rm, writeFile } = await import('node:fs/promises')
    const { tmpdir } = await import('node:os')
    const { join } = await import('node:path')
    const folder = await mkdtemp(join(tmpdir(), 'restable-page-'))
    const source = join(folder, 'db.json')
    await writeFile(source, JSON.stringify({ posts: [{ id: 1, title: 'a' }] }))
    const { page } = await openPage({ source, at: '#/data/posts/.1' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('title').fill('b')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved posts 1').waitFor()
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual({ posts: [{ id: 1, title: 'b' }] })
    await rm(folder, { recursive: true })
  })
}
