import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { fileOf } from '../support/folder.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, PHONE, seriousIn } from './parts/appearance.ts'
import { holdBack } from './parts/hold-back.ts'
import { type OpenOptions, openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

async function open(options: OpenOptions = {}) {
  const opened = await openPage({ at: '#/data/products', ...options })
  const count = async (name?: string) => {
    const headers: Record<string, string> = name === undefined ? {} : { 'X-Mock-Session': name }
    return Number((await fetch(`${opened.server.url}/products`, { headers })).headers.get('x-total-count'))
  }
  const names = async () => {
    const list: { name: string }[] = JSON.parse(await (await fetch(`${opened.server.url}/__sessions`)).text())
    return list.map(({ name }) => name)
  }
  return { ...opened, count, names }
}

const buttonOf = (page: Page, shown: string) => page.getByRole('button', { name: `Session: ${shown}` })
const stripOf = (page: Page) => page.getByRole('region', { name: 'Current session' })
const menuOf = (page: Page) => page.getByRole('dialog', { name: 'Session' })

async function enterNew(page: Page, name: string): Promise<void> {
  await buttonOf(page, 'base data').click()
  await menuOf(page).getByLabel('New session…').fill(name)
  await menuOf(page).getByRole('button', { name: 'Open' }).click()
  await buttonOf(page, name).waitFor()
  await page.getByText('Live').waitFor()
}

async function removeFirst(page: Page): Promise<void> {
  await page.getByRole('row', { name: 'Product 01' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('1–25 of 59').waitFor()
}

describe.skipIf(CHROMIUM === undefined)('sessions on the page', () => {
  afterAll(closeBrowser)

  it('works on a copy, puts it back, and leaves it, and the base never changes', async () => {
    const { page, count, names, faults } = await open()
    await enterNew(page, 'worker-3')
    await stripOf(page).getByText('worker-3').waitFor()
    await removeFirst(page)
    expect([await count(), await count('worker-3')]).toEqual([60, 59])

    await stripOf(page).getByRole('button', { name: 'Reset' }).click()
    expect(await count('worker-3')).toBe(59)
    await stripOf(page).getByRole('button', { name: 'Undo all changes?' }).click()
    await page.getByText('1–25 of 60').waitFor()
    expect(await count('worker-3')).toBe(60)

    await stripOf(page).getByRole('button', { name: 'End' }).click()
    expect(await names()).toEqual(['worker-3'])
    await stripOf(page).getByRole('button', { name: 'End for good?' }).click()
    await buttonOf(page, 'base data').waitFor()
    await stripOf(page).waitFor({ state: 'detached' })
    await page.getByText('Switched to the base data').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('session-button')
    await page.getByText('Live').waitFor()
    expect(await names()).toEqual([])
    expect(faults).toEqual([])
  })

  it('begins a new one as a scenario says', async () => {
    const { page, count } = await open({ scenarios: { few: { data: fileOf({ products: [{ id: 1 }] }) } } })
    await buttonOf(page, 'base data').click()
    await menuOf(page).getByLabel('New session…').fill('worker-4')
    await menuOf(page).getByLabel('Scenario').selectOption('few')
    await menuOf(page).getByRole('button', { name: 'Open' }).click()
    await buttonOf(page, 'worker-4').waitFor()
    await page.getByText('1–1 of 1').waitFor()
    expect([await count(), await count('worker-4')]).toEqual([60, 1])
  })

  it('hears what others do in the session, and stays in it over a reload', async () => {
    const { page, server } = await open()
    const session = server.session('shared')
    await session.fetch('/products/60', { method: 'DELETE' })
    await buttonOf(page, 'base data').click()
    await menuOf(page).getByRole('button', { name: 'shared' }).click()
    await page.getByText('1–25 of 59').waitFor()
    await page.getByText('Live').waitFor()
    await session.fetch('/products/59', { method: 'DELETE' })
    await page.getByText('1–25 of 58').waitFor()
    await page.reload()
    await buttonOf(page, 'shared').waitFor()
    await page.getByText('1–25 of 58').waitFor()
    // Neither does the request list mix them.
    await page.getByRole('link', { name: 'Requests' }).click()
    await fetch(`${server.url}/companies/1`)
    await session.fetch('/companies/2')
    await page.getByRole('button', { name: '/companies/2' }).waitFor()
    expect(await page.getByRole('button', { name: '/companies/1' }).count()).toBe(0)
    await buttonOf(page, 'shared').click()
    await menuOf(page).getByRole('button', { name: 'Base data' }).click()
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByText('1–25 of 60').waitFor()
  })

  it('offers no Undo of another session, and copies requests with its header', async () => {
    const { page } = await open({ context: { permissions: ['clipboard-read', 'clipboard-write'] } })
    await removeFirst(page)
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await enterNew(page, 'copier')
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0)
    const copied = async (form: string): Promise<string> => {
      await page.locator('summary', { hasText: 'Copy' }).click()
      await page.getByRole('button', { name: form, exact: true }).click()
      await page.getByText(`Copied as ${form}`).waitFor()
      return page.evaluate('navigator.clipboard.readText()')
    }
    expect(await copied('curl')).toMatch(/ -H 'X-Mock-Session: copier'$/)
    expect(await copied('fetch')).toContain("'X-Mock-Session': 'copier',")
    await copied('URL')
    await page.getByText('A URL names no session').waitFor()
  })

  it('offers no Undo either of a deletion that is answered after the switch', async () => {
    const { page, count } = await open()
    await page.getByRole('row', { name: 'Product 01' }).click()
    const release = await holdBack(page, '**/products/1')
    await page.getByRole('button', { name: 'Delete' }).click()
    const looked = page.waitForResponse('**/__history?_limit=50')
    await release(() => enterNew(page, 'late'))
    await looked
    await page.getByText('1–25 of 60').waitFor()
    expect([await count(), await count('late')]).toEqual([59, 60])
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0)
  })

  it('goes on in a new copy when the session has ended, and says so', async () => {
    const { page, server, names } = await open()
    await enterNew(page, 'short')
    await removeFirst(page)
    await fetch(`${server.url}/__sessions/short`, { method: 'DELETE' })
    await page.getByText('Session short had ended. This is a new copy of the base data.').waitFor()
    await page.getByText('1–25 of 60').waitFor()
    await buttonOf(page, 'short').waitFor()
    expect(await names()).toEqual(['short'])
  })

  it('opens no session whose name the server would refuse', async () => {
    const { page, names } = await open()
    await buttonOf(page, 'base data').click()
    const field = menuOf(page).getByLabel('New session…')
    for (const name of ['', 'a b', 'ü', 'a/b', 'x'.repeat(65)]) {
      await field.fill(name)
      await field.press('Enter')
      expect(await page.evaluate("document.querySelector('#session-name:invalid') !== null"), name).toBe(true)
    }
    await buttonOf(page, 'base data').waitFor()
    expect(await names()).toEqual([])
    await field.fill('A.b_c-9')
    await field.press('Enter')
    await buttonOf(page, 'A.b_c-9').waitFor()
  })

  it('says so when a cookie has put the browser into a session, and leaves that, too', async () => {
    const { page, server } = await open()
    await server.session('by-cookie').fetch('/products/1', { method: 'DELETE' })
    await page.context().addCookies([{ name: 'mock_session', value: 'by-cookie', url: server.url }])
    await page.reload()
    await buttonOf(page, 'by-cookie').waitFor()
    await page.getByText('1–25 of 59').waitFor()
    await buttonOf(page, 'by-cookie').click()
    await menuOf(page).getByRole('button', { name: 'Base data' }).click()
    await page.getByText('1–25 of 60').waitFor()
    await buttonOf(page, 'base data').waitFor()
  })

  it('works behind a guard', async () => {
    const { page } = await open({
      middlewares: ['api-key'],
      apiKey: { keys: { 'page-test-key-1': ['read', 'write'] } },
    })
    await page.getByRole('textbox', { name: 'API key' }).fill('page-test-key-1')
    await page.getByRole('button', { name: 'Continue' }).click()
    await enterNew(page, 'guarded')
    await removeFirst(page)
    await stripOf(page).getByRole('button', { name: 'End' }).click()
    await stripOf(page).getByRole('button', { name: 'End for good?' }).click()
    await page.getByText('1–25 of 60').waitFor()
  })

  it('has no such control where sessions are off', async () => {
    const { page, server } = await open({ sessions: false })
    // Cookies know no ports: this one may be for another server.
    await page.context().addCookies([{ name: 'mock_session', value: 'elsewhere', url: server.url }])
    await page.evaluate("sessionStorage.setItem('restable.session', 'left-over')")
    const listed = page.waitForResponse((response) => response.url().endsWith('/__sessions'))
    await page.reload()
    expect((await listed).status()).toBe(404)
    await stripOf(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: /^Session/ }).count()).toBe(0)
    expect(await page.context().cookies()).toMatchObject([{ value: 'elsewhere' }])
  })

  it('fits a phone, by keyboard alone, with nothing that axe finds serious', async () => {
    const { page } = await open({ context: PHONE })
    await buttonOf(page, 'base data').focus()
    await page.keyboard.press('Enter')
    await menuOf(page).waitFor()
    await page.keyboard.press('Escape')
    await menuOf(page).waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('x'.repeat(64))
    await page.keyboard.press('Enter')
    await buttonOf(page, 'x'.repeat(64)).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('session-button')
    expect(await fitsWidth(page)).toBe(true)
    await page.keyboard.press('Enter')
    await menuOf(page).waitFor()
    expect(await seriousIn(page)).toEqual([])

    await page.evaluate("location.hash = '#/service'")
    await page.getByRole('heading', { name: 'Service' }).waitFor()
    // The tabs have scrolled to the current one, beside the menu.
    const button = await buttonOf(page, 'x'.repeat(64)).boundingBox()
    const rightOfTab = async () => {
      const tab = await page.getByRole('link', { name: 'Service' }).boundingBox()
      return (tab?.x ?? Infinity) + (tab?.width ?? 0)
    }
    await expect.poll(rightOfTab).toBeLessThanOrEqual(button?.x ?? 0)
  })
})
