import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { folderOf } from '../../support/folder.ts'
import { auditIn, isSerious, told } from './appearance.ts'
import { openPage } from './open-page.ts'

/** Where, and a text that is only there once the view is. */
const VIEWS = [
  ['#/data/products', 'Product 01'],
  ['#/data/companies/.1', '"Rome"'],
  ['#/data/companies/new', 'Create'],
  ['#/query?%2Fproducts%3Fprice_gte%3D1%26_sort%3Dname', 'Add sorting'],
  ['#/requests', 'Requests appear here'],
  ['#/faults', 'No rules: nothing fails on purpose.'],
  ['#/service', 'Rewrite rules'],
] as const

const CUT_HEADINGS =
  '[...document.querySelectorAll(".view-head h1")].flatMap((one) => one.scrollWidth > one.clientWidth ? [one.textContent] : [])'

export function qualityTests(): void {
  it.each(['light', 'dark'] as const)(
    'shows nothing that axe finds serious, in any view (%s)',
    async (colorScheme) => {
      const { page, faults } = await openPage({ context: { colorScheme, bypassCSP: true } })
      const found: string[] = []
      for (const [at, text] of VIEWS) {
        await visit(page, at, text)
        found.push(...(await auditIn(page)).filter(isSerious).map(told))
      }
      expect(found).toEqual([])
      expect(faults).toEqual([])
    },
  )

  it('fits every view into the width of a phone', async () => {
    const { page } = await openPage({ context: { viewport: { width: 360, height: 740 }, isMobile: true } })
    const widths: unknown[] = []
    for (const [at, text] of VIEWS) {
      await visit(page, at, text)
      widths.push(await page.evaluate('document.documentElement.scrollWidth'))
      expect(await page.evaluate(CUT_HEADINGS)).toEqual([])
    }
    expect(widths).toEqual(VIEWS.map(() => 360))
  })

  it('is driven by the keyboard alone', async () => {
    const { page } = await openPage({ at: '#/data/products' })
    await page.getByRole('row', { name: 'Product 01' }).waitFor()
    // The focus follows what is shown, a moment later.
    const focused = (what: string, wanted: string) =>
      expect.poll(() => page.evaluate(`document.activeElement.${what}`), { timeout: 10_000 }).toBe(wanted)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await focused('id', 'content')
    await page.getByRole('link', { name: '1', exact: true }).first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Product 2' }).waitFor()
    await focused('textContent', 'Product 2')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Product 2' }).waitFor({ state: 'detached' })
    await focused('textContent', '2')
  })

  it('follows the system into the dark, and the user out of it', async () => {
    const { page } = await openPage({ context: { colorScheme: 'dark' } })
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await ground()).toBe('rgb(20, 23, 26)')
    await page.getByRole('button', { name: 'Theme: system' }).click()
    expect(await ground()).toBe('rgb(255, 255, 255)')
    await page.reload()
    await page.getByRole('button', { name: 'Theme: light' }).waitFor()
    expect(await ground()).toBe('rgb(255, 255, 255)')
  })

  it('loads nothing from elsewhere, and runs under a policy that allows nothing inline', async () => {
    const { page, server, faults } = await openPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    const response = await page.reload()
    await page.getByRole('row', { name: 'Product 01' }).waitFor()
    expect(new Set(asked)).toEqual(new Set([server.url]))
    const policy = response?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(faults).toEqual([])
  })

  it('weighs less than 150 kB compressed, all in all', async () => {
    const folder = new URL('../../../dist/page', import.meta.url)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    const sizes = files.map(async (file) => gzipSync(await readFile(join(file.parentPath, file.name))).length)
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(files.length).toBeGreaterThan(2)
    expect(total).toBeLessThan(150_000)
  })

  it("gives way to the user's own index.html", async () => {
    const folder = folderOf({ 'index.html': '<h1>My own page</h1>' })
    const { page } = await openPage({ static: folder })
    await page.getByRole('heading', { name: 'My own page' }).waitFor()
  })

  it('is at /__page as well, which no index.html can hide', async () => {
    const folder = folderOf({ 'index.html': '<h1>My own page</h1>' })
    await mkdir(join(folder, '__dashboard'))
    const { page, server, faults } = await openPage({ static: folder, at: '__page#/data/products/.2' })
    await page.getByRole('heading', { name: 'Product 2' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Product 2 deleted').waitFor()
    expect((await fetch(`${server.url}/products/2`)).status).toBe(404)
    expect(faults).toEqual([])
  })

  it('connects again after the stream was cut', async () => {
    const { page, server } = await openPage({ at: '#/data/products' })
    await page.getByText('Live').waitFor()
    await page.context().setOffline(true)
    await page.evaluate('1')
    await page.context().setOffline(false)
    await fetch(`${server.url}/products/60`, { method: 'DELETE' })
    await page.getByText('1–25 of 59').waitFor()
  })
}

async function visit(page: Page, at: string, text: string): Promise<void> {
  await page.evaluate(`location.hash = '${at}'`)
  await page.getByText(text).first().waitFor()
}
