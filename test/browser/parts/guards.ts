import { expect, it } from 'vitest'
import { openPage } from './open-page.ts'

export function guardTests(): void {
  it('opens with the API key layer on, asks for a key until it is right, and works with it', async () => {
    const { page } = await openPage({
      middlewares: ['api-key'],
      apiKey: { keys: { 'page-test-key-1': ['read', 'write'] } },
    })
    const dialog = page.getByRole('dialog', { name: 'This server asks for an API key' })
    await dialog.getByText('X-API-KEY').waitFor()
    await dialog.getByRole('textbox', { name: 'API key' }).fill('some-other-key-1')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('not known here').waitFor()
    await dialog.getByRole('textbox', { name: 'API key' }).fill('page-test-key-1')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('row', { name: 'Product 01' }).waitFor()
    await page.getByText('Live').waitFor()
    // Kept for the tab, so that a reload asks nothing.
    await page.reload()
    await page.getByRole('row', { name: 'Product 01' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Product 1 deleted').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.reload()
    await dialog.waitFor()
  })

  it('says what a key that may not write is missing', async () => {
    const { page } = await openPage({ at: '#/data/products/.1', middlewares: ['api-key'] })
    await page.getByRole('textbox', { name: 'API key' }).fill('readonly-client-key-001')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').getByText('403 FORBIDDEN_WRITE').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'API key' }).fill('web-client-key-001')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Product 1 deleted').waitFor()
  })

  it('asks for the bearer token', async () => {
    const { page } = await openPage({ middlewares: ['bearer'], bearer: { token: 'page-token' } })
    await page.getByRole('textbox', { name: 'Token' }).fill('page-token')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('row', { name: 'Product 01' }).waitFor()
  })

  it('reads without a login where only writes are guarded, and logs in for the first write', async () => {
    const { page } = await openPage({
      at: '#/data/products/.1',
      middlewares: ['jwt'],
      jwt: { secret: 's'.repeat(32), users: [{ email: 'ada@example.com', password: 'right' }] },
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('name').fill('logged in')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Log in to change data' })
    await dialog.getByLabel('E-mail').fill('ada@example.com')
    await dialog.getByLabel('Password').fill('wrong')
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.getByText('Email or password is wrong').waitFor()
    await dialog.getByLabel('Password').fill('right')
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Product 1 saved').waitFor()
    await page.getByRole('row', { name: 'logged in' }).waitFor()
  })

  it('says what the server says when the user would rather not sign in', async () => {
    const { page } = await openPage({ middlewares: ['bearer'] })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('401 AUTH_REQUIRED').waitFor()
  })

  it('copies no key', async () => {
    const { page } = await openPage({
      middlewares: ['api-key'],
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await page.getByRole('textbox', { name: 'API key' }).fill('web-client-key-001')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('summary', { hasText: 'Copy' }).click()
    await page.getByRole('button', { name: 'curl', exact: true }).click()
    await page.getByText('Copied as curl').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/-H "X-API-KEY: \$API_KEY"$/)
  })

  it.each([{ allowedHosts: [], allowedOrigins: [] }, { noCors: true }])('works behind %j', async (doors) => {
    const { page, faults } = await openPage({ at: '#/data/products/.1', ...doors })
    await page.getByText('Live').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('name', { exact: true }).fill('behind the door')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'behind the door' }).waitFor()
    expect(faults).toEqual([])
  })
}
