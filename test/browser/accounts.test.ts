import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, PHONE, seriousIn } from './parts/appearance.ts'
import { type OpenOptions, openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const SETTINGS = {
  middlewares: ['accounts'],
  resources: {
    products: {
      access: { read: 'anyone', create: 'role:admin', update: 'role:admin', delete: 'role:admin' },
    },
    orders: {
      access: { read: ['owner', 'role:admin'], create: 'signed-in', update: 'owner', delete: 'owner' },
    },
  },
} satisfies OpenOptions

const shop = () => ({
  users: [
    { id: 1, email: 'ada@example.com', password: 'lovelace', role: 'admin' },
    { id: 2, email: 'alan@example.com', password: 'bletchley', role: 'user' },
  ],
  products: [{ id: 1, name: 'Desk', price: 249 }],
  orders: [
    { id: 1, product_id: 1, note: 'Alan wants it', user_id: 2 },
    { id: 2, product_id: 1, note: 'So does Ada', user_id: 1 },
  ],
})

function open(options: OpenOptions = {}) {
  return openPage({ at: '#/data/products', ...SETTINGS, data: shop(), ...options })
}

const userButton = (page: Page, who: string) => page.getByRole('button', { name: `User: ${who}` })
const userMenu = (page: Page) => page.getByRole('dialog', { name: 'User' })
const NOBODY = 'Not logged in'
const ALAN = 'alan@example.com, user'
const ADA = 'ada@example.com, admin'

async function logIn(page: Page, email: string, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
}

async function logInFromMenu(page: Page, email: string, password: string): Promise<void> {
  await userButton(page, NOBODY).click()
  await userMenu(page).getByRole('button', { name: 'Log in or sign up' }).click()
  await logIn(page, email, password)
}

describe.skipIf(CHROMIUM === undefined)('accounts on the page', () => {
  afterAll(closeBrowser)

  it('logs in, says who that is, shows their rows, stays over a reload, and logs out', async () => {
    const { page, faults } = await open({ at: '#/data/orders' })
    await page.getByRole('alert').getByText('Only the owner and admins can read orders').waitFor()
    await page.getByRole('alert').getByText('You are not logged in.').waitFor()
    await logInFromMenu(page, 'alan@example.com', 'wrong')
    await page.getByRole('dialog').getByText('Email or password is wrong.').waitFor()
    await logIn(page, 'alan@example.com', 'bletchley')
    await userButton(page, ALAN).waitFor()
    await page.getByRole('row', { name: 'Alan wants it' }).waitFor()
    expect(await page.getByRole('row', { name: 'So does Ada' }).count()).toBe(0)
    await page.reload()
    await userButton(page, ALAN).click()
    await userMenu(page).getByText('role user').waitFor()
    await userMenu(page).getByRole('button', { name: 'Log out' }).click()
    await userButton(page, NOBODY).waitFor()
    await page.getByRole('alert').getByText('Only the owner and admins can read orders').waitFor()
    expect(faults).toEqual([])
  })

  it('signs up', async () => {
    const { page, server } = await open({ at: '#/data/orders' })
    await userButton(page, NOBODY).click()
    await userMenu(page).getByRole('button', { name: 'Log in or sign up' }).click()
    await page.getByRole('button', { name: 'I have no account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign up' })
    await dialog.getByLabel('E-mail').fill('grace@example.com')
    await dialog.getByLabel('Password').fill('short')
    await dialog.getByRole('button', { name: 'Sign up' }).click()
    await dialog.getByText('password must have at least 8 characters').waitFor()
    await dialog.getByLabel('Password').fill('nanosecond')
    await dialog.getByRole('button', { name: 'Sign up' }).click()
    await userButton(page, 'grace@example.com, user').waitFor()
    expect(server.db.get('users').find({ email: 'grace@example.com' }).value()).toMatchObject({
      role: 'user',
    })
  })

  it('asks for a login when a write needs one, and goes on with it', async () => {
    const { page } = await open({ at: '#/data/products/.1' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('name', { exact: true }).fill('Table')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('Only admins can update products.').waitFor()
    await logIn(page, 'ada@example.com', 'lovelace')
    await page.getByRole('row', { name: 'Table' }).waitFor()
    await userButton(page, ADA).waitFor()
  })

  it('explains a 403 by the rule that made it, and lets another user try again', async () => {
    const { page, server } = await open({ at: '#/data/products/.1' })
    await logInFromMenu(page, 'alan@example.com', 'bletchley')
    await userButton(page, ALAN).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('403 AUTH_FORBIDDEN').waitFor()
    await alert.getByText('Only admins can delete products.').waitFor()
    await alert.getByText('You are alan@example.com, role user.').waitFor()
    expect(await alert.locator('.broken').innerText()).toMatch(/^delete\s+role:admin$/)
    expect(server.count('products')).toBe(1)
    await alert.getByRole('button', { name: 'Log in' }).click()
    await logIn(page, 'ada@example.com', 'lovelace')
    await page.getByText('Product 1 deleted').waitFor()
    expect(server.count('products')).toBe(0)
  })

  it('refreshes its token by itself when that has expired, once', async () => {
    const { page, server } = await open({ at: '#/data/orders' })
    await logInFromMenu(page, 'alan@example.com', 'bletchley')
    await page.getByRole('row', { name: 'Alan wants it' }).waitFor()
    await page.getByText('Live').waitFor()
    const refreshed: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/refresh')) refreshed.push(response.status())
    })
    server.clock.advance('20m')
    await page.reload()
    await page.getByRole('row', { name: 'Alan wants it' }).waitFor()
    await userButton(page, ALAN).waitFor()
    await page.getByText('Live').waitFor()
    expect(refreshed).toEqual([200])
  })

  it('is nobody again when the server has ended the login', async () => {
    const { page, server } = await open()
    await logInFromMenu(page, 'alan@example.com', 'bletchley')
    await userButton(page, ALAN).waitFor()
    server.db.get('users').remove({ id: 2 }).write()
    await page.reload()
    await userButton(page, NOBODY).waitFor()
    await page.getByRole('row', { name: 'Desk' }).waitFor()
  })

  it('offers to act as somebody when a login is needed, and goes on as them', async () => {
    const { page, faults } = await open({
      at: '#/data/orders',
      accounts: { persona: true },
      context: PHONE,
    })
    await page.getByRole('alert').getByRole('button', { name: 'Log in' }).click()
    const dialog = page.getByRole('dialog', { name: 'Log in' })
    expect(await seriousIn(page)).toEqual([])
    await dialog.getByRole('button', { name: 'alan@example.com user' }).click()
    await page.getByRole('row', { name: 'Alan wants it' }).waitFor()
    expect(faults).toEqual([])
  })

  it('switches between users where personas are on, and copies requests with the header', async () => {
    const { page, faults } = await open({
      at: '#/data/orders',
      accounts: { persona: true },
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await userButton(page, NOBODY).click()
    await userMenu(page).getByRole('button', { name: 'alan@example.com user' }).click()
    await userButton(page, ALAN).waitFor()
    await page.getByRole('row', { name: 'Alan wants it' }).waitFor()
    await userButton(page, ALAN).click()
    await userMenu(page).getByText('Acting as').waitFor()
    await userMenu(page).getByRole('button', { name: 'ada@example.com admin' }).click()
    await page.getByRole('row', { name: 'So does Ada' }).waitFor()
    await page.getByText('Live').waitFor()
    await page.locator('summary', { hasText: 'Copy' }).click()
    await page.getByRole('button', { name: 'curl', exact: true }).click()
    await page.getByText('Copied as curl').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      / -H 'X-Mock-User: ada@example.com'$/,
    )
    await page.reload()
    await userButton(page, ADA).click()
    await userMenu(page).getByRole('button', { name: 'Yourself' }).click()
    await userButton(page, NOBODY).waitFor()
    expect(faults).toEqual([])
  })

  it('has no such switch where personas are off, and no menu without accounts', async () => {
    const { page } = await open()
    await userButton(page, NOBODY).click()
    await userMenu(page).getByText('You are not logged in.').waitFor()
    expect(await userMenu(page).getByText('Act as').count()).toBe(0)
    const other = await openPage({ at: '#/data/products' })
    await other.page.getByText('Live').waitFor()
    expect(await other.page.getByRole('button', { name: /^User/ }).count()).toBe(0)
  })

  it('works with cookies, which scripts cannot read', async () => {
    const { page } = await open({ at: '#/data/orders', accounts: { cookies: true } })
    await logInFromMenu(page, 'alan@example.com', 'bletchley')
    await page.getByRole('row', { name: 'Alan wants it' }).waitFor()
    expect(await page.evaluate('[document.cookie, JSON.stringify(sessionStorage)].join()')).not.toMatch(/eyJ/)
    await page.reload()
    await userButton(page, ALAN).click()
    await userMenu(page).getByRole('button', { name: 'Log out' }).click()
    await userButton(page, NOBODY).waitFor()
    expect(await page.context().cookies()).toEqual([])
  })

  it('is somebody else in a session', async () => {
    const { page } = await open({ at: '#/data/orders', accounts: { persona: true } })
    await logInFromMenu(page, 'ada@example.com', 'lovelace')
    await userButton(page, ADA).waitFor()
    await page.getByRole('button', { name: 'Session: base data' }).click()
    await page.getByLabel('New session…').fill('copy')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await userButton(page, NOBODY).waitFor()
    await page.getByRole('alert').getByText('Only the owner and admins can read orders').waitFor()
  })

  it('opens and resets a session for those who may not list them', async () => {
    const { page, faults } = await open()
    await page.getByRole('button', { name: 'Session: base data' }).click()
    await page.getByLabel('New session…').fill('copy')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const strip = page.getByRole('region', { name: 'Current session' })
    await strip.getByRole('button', { name: 'Reset' }).click()
    await strip.getByRole('button', { name: 'Undo all changes?' }).click()
    await page.getByText('Session copy is back at its start').waitFor()
    expect(faults).toEqual([])
  })

  it('lists the rules of each resource in the API tab', async () => {
    const { page } = await open({ at: '#/api/orders' })
    const rules = page.getByRole('region', { name: 'Who may do what' })
    await rules.getByText('owner or role:admin').waitFor()
    expect((await rules.locator('.access').innerText()).split(/\s*\n\s*/)).toEqual([
      ...['read', 'owner or role:admin', 'create', 'signed-in', 'update', 'owner', 'delete', 'owner'],
      ...['owner', 'the user in user_id'],
    ])
  })

  it('says why there are no requests to see', async () => {
    const { page } = await open({ at: '#/requests', accounts: { persona: true } })
    await page.getByText('Only admins can see requests').waitFor()
    await userButton(page, NOBODY).click()
    await userMenu(page).getByRole('button', { name: 'ada@example.com admin' }).click()
    await page.getByText('Only admins can see requests').waitFor({ state: 'detached' })
  })

  it('fits a phone, with nothing that axe finds serious', async () => {
    const { page } = await open({ accounts: { persona: true }, context: PHONE })
    await userButton(page, NOBODY).click()
    await userMenu(page).getByRole('button', { name: 'alan@example.com user' }).click()
    await userButton(page, ALAN).waitFor()
    await page.getByRole('row', { name: 'Desk' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').getByText('403 AUTH_FORBIDDEN').waitFor()
    expect(await fitsWidth(page)).toBe(true)
    expect(await seriousIn(page)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    await userButton(page, ALAN).click()
    await userMenu(page).waitFor()
    expect(await fitsWidth(page)).toBe(true)
    expect(await seriousIn(page)).toEqual([])
  })
})
