import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { fileOf } from '../../support/folder.ts'
import { openPage } from './open-page.ts'

export function changeTests(): void {
  it('creates a row from a form, with nested fields as JSON', async () => {
    const { page, server } = await openPage({ at: '#/data/companies' })
    await page.getByRole('button', { name: 'New' }).click()
    await page.getByLabel('name').fill('Company Bari')
    await page.getByLabel('revenue').fill('12.5')
    await page.getByLabel('headquarter').fill('{ "lat": 1, "lon": 2 }')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Company 6' }).waitFor()
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
    await page.getByText('Product 1 saved').waitFor()
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
    await page.getByText('No things yet').waitFor()
    expect((await fetch(`${server.url}/things/7`)).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row', { name: 'kept' }).waitFor()
    expect(await (await fetch(`${server.url}/things/7`)).text()).toBe(before)
  })

  it('puts a row back where it stood, after other changes, too', async () => {
    const things = [1, 2, 3, 4, 5].map((id) => ({ id, name: `thing ${id}` }))
    const { page, server } = await openPage({ data: { things }, at: '#/data/things' })
    const ids = async () =>
      ((await (await fetch(`${server.url}/things`)).json()) as { id: number }[]).map(({ id }) => id)
    for (const id of [3, 2]) {
      await page.getByRole('link', { name: String(id), exact: true }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText(`Thing ${id} deleted`).waitFor()
    }
    expect(await ids()).toEqual([1, 4, 5])
    await fetch(`${server.url}/things/5`, { method: 'DELETE' })
    await page
      .locator('.notice', { hasText: 'Thing 2 deleted' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('Thing 2 restored').waitFor()
    expect(await ids()).toEqual([1, 2, 4])
  })

  it.each([
    ['a desk', { width: 1280, height: 800 }],
    ['a phone', { width: 360, height: 740 }],
  ])('leaves the pager free under its messages, on %s', async (_, viewport) => {
    const { page } = await openPage({ at: '#/data/products/.1', context: { viewport } })
    await page.getByRole('button', { name: 'Delete' }).click()
    const notice = page.locator('.notice')
    await notice.waitFor()
    const [low, high] = await Promise.all([notice.boundingBox(), page.locator('.pager').boundingBox()])
    expect((low?.y ?? 0) + (low?.height ?? 0)).toBeLessThanOrEqual(high?.y ?? 0)
    // A real click: it would land on whatever covers the button.
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('26–50 of 59').waitFor()
  })

  const FAMILY = {
    posts: [{ id: 1 }, { id: 2 }],
    comments: [
      { id: 1, post_id: 1 },
      { id: 2, post_id: '1' },
      { id: 3, post_id: 2 },
    ],
    likes: [
      { id: 1, comment_id: 1 },
      { id: 2, comment_id: 2 },
      { id: 3, comment_id: 2 },
      { id: 4, comment_id: 3 },
    ],
    tags: [{ id: 1 }],
  }

  it('names what goes along before it deletes with cascade on, and deletes nothing when told not to', async () => {
    const { page, server } = await openPage({
      data: structuredClone(FAMILY),
      cascade: true,
      at: '#/data/posts/.1',
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete post 1?' })
    await dialog.waitFor()
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['2 in comments', '3 in likes'])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await (await fetch(`${server.url}/db`)).json()).toEqual(FAMILY)

    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete all of them' }).click()
    await page.getByText('Post 1 deleted').waitFor()
    expect(await (await fetch(`${server.url}/db`)).json()).toEqual({
      posts: [{ id: 2 }],
      comments: [{ id: 3, post_id: 2 }],
      likes: [{ id: 4, comment_id: 3 }],
      tags: [{ id: 1 }],
    })
  })

  it('does not ask where nothing depends on the row, or without cascade', async () => {
    const leaf = await openPage({ data: structuredClone(FAMILY), cascade: true, at: '#/data/likes/.1' })
    await leaf.page.getByRole('button', { name: 'Delete' }).click()
    await leaf.page.getByText('Like 1 deleted').waitFor()
    const plain = await openPage({ data: structuredClone(FAMILY), at: '#/data/posts/.1' })
    await plain.page.getByRole('button', { name: 'Delete' }).click()
    await plain.page.getByText('Post 1 deleted').waitFor()
  })

  it('counts rows beyond those that the fields are known from, and none twice in a circle', async () => {
    const data = {
      nodes: [
        { id: 1, node_id: 2 },
        { id: 2, node_id: 1 },
        ...Array.from({ length: 60 }, (_, n) => ({ id: n + 3 })),
      ],
      leaves: [...Array.from({ length: 60 }, (_, n) => ({ id: n + 1 })), { id: 99, node_id: 1 }],
    }
    const { page } = await openPage({ data, cascade: true, at: '#/data/nodes/.1' })
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['1 in nodes', '1 in leaves'])
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

  it('offers no changes where the server takes none', async () => {
    const { page } = await openPage({ at: '#/data/products/.1', readOnly: true })
    await page.getByRole('heading', { name: 'Product 1' }).waitFor()
    await page.getByText('Product 01').last().waitFor()
    expect(await page.getByRole('button', { name: /New|Edit|Delete/ }).count()).toBe(0)
  })

  it('writes nothing that the API would not write: the file is as a client would leave it', async () => {
    const source = fileOf({ posts: [{ id: 1, title: 'a' }] })
    const { page } = await openPage({ source, at: '#/data/posts/.1' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('title').fill('b')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Post 1 saved').waitFor()
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual({ posts: [{ id: 1, title: 'b' }] })
  })
}
