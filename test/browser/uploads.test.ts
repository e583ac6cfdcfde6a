import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const ATTACK = "localStorage.setItem('attacked', location.href)"
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>${ATTACK}</script></svg>`
/** A GIF to some, a script to others. */
const POLYGLOT = `GIF89a/*${'\0'.repeat(20)}*/=1;${ATTACK}//<script>${ATTACK}</script>`

/** Loads a URL in every way that a page of the same origin could. What is downloaded in a frame tells nothing. */
const EMBED = `async (src) => {
  const loaded = ['script', 'iframe', 'embed', 'img'].map((tag) => {
    const element = Object.assign(document.createElement(tag), { src })
    document.body.append(element)
    if (tag === 'iframe' || tag === 'embed') return fetch(src).then((response) => response.text())
    return new Promise((resolve) => (element.onload = element.onerror = resolve))
  })
  await Promise.all(loaded)
}`

const WIDTH_OF = `async (src) => {
  const image = Object.assign(new Image(), { src })
  await image.decode()
  return image.width
}`

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.skipIf(CHROMIUM === undefined)('files in the browser', () => {
  afterAll(closeBrowser)

  it.each([
    ['HTML', 'page.html', `<script>${ATTACK}</script>`],
    ['HTML that claims to be a picture', 'photo.jpg', `<!doctype html><script>${ATTACK}</script>`],
    ['HTML that claims to be text', 'notes.txt', `<html><script>${ATTACK}</script></html>`],
    ['an SVG', 'picture.svg', SVG],
    ['XML', 'data.xml', `<html xmlns="http://www.w3.org/1999/xhtml"><script>${ATTACK}</script></html>`],
    ['a polyglot', 'picture.gif', POLYGLOT],
    ['a script', 'code.js', ATTACK],
    ['a script that claims to be JSON', 'code.json', ATTACK],
  ])("run nothing in the API's origin: %s", async (_, name, content) => {
    const { page, server } = await openPage({ data: { posts: [] }, uploads: true })
    const url = await page.evaluate(
      async ([fileName = '', text = '']) => {
        const form = new FormData()
        form.append('file', new File([text], fileName, { type: 'text/html' }))
        const response = await fetch('/posts', { method: 'POST', body: form })
        return ((await response.json()) as { file: { url: string } }).file.url
      },
      [name, content],
    )
    for (const address of [url, url.replace(/[^/]+$/, 'other.html')]) {
      // A download is no navigation, and fails as one.
      await page.goto(address).catch(() => {})
      await page.goto(`${server.url}/__service`)
      await page.evaluate(`(${EMBED})(${JSON.stringify(address)})`)
      expect(await page.evaluate("localStorage.getItem('attacked')")).toBeNull()
    }
  })

  it('show as pictures, an SVG too', async () => {
    const { page, server } = await openPage({ data: { posts: [] }, uploads: true })
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>'
    for (const [name, base64, width] of [
      ['p.png', PIXEL, 1],
      ['p.svg', btoa(svg), 3],
    ] as const) {
      const form = new FormData()
      form.append('file', new Blob([Buffer.from(base64, 'base64')]), name)
      const response = await fetch(`${server.url}/posts`, { method: 'POST', body: form })
      const { file } = (await response.json()) as { file: { url: string } }
      const shown = await page.evaluate(`(${WIDTH_OF})(${JSON.stringify(file.url)})`)
      expect(shown).toBe(width)
    }
  })

  it('come from a plain form', async () => {
    const { page, server } = await openPage({ data: { posts: [] }, uploads: true })
    await page.goto(`${server.url}/__service`)
    await page.setContent(`<form method="post" enctype="multipart/form-data" action="${server.url}/posts">
      <input name="title" value="Grüße"><input type="file" name="photos[]" multiple><input type="file" name="none">
      <button>Send</button></form>`)
    const png = { name: 'ä "1".png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') }
    await page.locator('[name="photos[]"]').setInputFiles([png, { ...png, name: '2.png' }])
    await Promise.all([page.waitForURL(/\/posts$/), page.getByText('Send').click()])
    const row = JSON.parse(await page.locator('pre').innerText()) as object
    expect(row).toEqual({
      id: 1,
      title: 'Grüße',
      photos: [
        {
          url: expect.stringContaining('/uploads/'),
          name: 'ä 1.png',
          type: 'image/png',
          size: png.buffer.length,
        },
        expect.objectContaining({ name: '2.png' }),
      ],
    })
  })

  it("come from another origin as react-admin's ImageInput has them sent, and stay when the row is saved again", async () => {
    const { page, server } = await openPage({ data: { posts: [{ id: 1, title: 'a' }] }, uploads: true })
    await page.goto(`${server.url.replace('localhost', '127.0.0.1')}/__service`)
    const rows = await page.evaluate(
      async ([root = '', base64 = '']) => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        const picture = { rawFile: new File([bytes], 'me.png', { type: 'image/png' }), title: 'me.png' }
        const form = new FormData()
        form.append('picture', picture.rawFile)
        form.append('title', 'b')
        const headers = { accept: 'application/json' }
        const saved = await fetch(`${root}/posts/1`, { method: 'PUT', headers, body: form })
        const row = (await saved.json()) as object
        const json = { ...headers, 'content-type': 'application/json' }
        const again = await fetch(`${root}/posts/1`, {
          method: 'PUT',
          headers: json,
          body: JSON.stringify(row),
        })
        return [row, await again.json()]
      },
      [server.url, PIXEL],
    )
    expect(rows[0]).toMatchObject({ id: 1, title: 'b', picture: { name: 'me.png', type: 'image/png' } })
    expect(rows[1]).toEqual(rows[0])
  })
})
