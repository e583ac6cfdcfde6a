import type { Page } from '@playwright/test'
import type { RemoteSession } from 'restable'
import { expect, test } from 'restable/playwright'

const USER = { email: 'ada@example.com', password: 'lovelace' }

async function post(api: RemoteSession, path: string, body: object, token?: string) {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
  return (await api.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

async function logIn(page: Page, api: RemoteSession) {
  await post(api, '/register', USER)
  await page.goto('/')
  await page.getByLabel('email').fill(USER.email)
  await page.getByLabel('password').fill(USER.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Add' }).waitFor()
}

test('shows what others add', async ({ page, api }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveCount(2)
  const { accessToken } = await post(api, '/register', USER)
  await post(api, '/tickets', { title: 'No coffee at all', status: 'open' }, accessToken)
  await expect(page.getByRole('listitem')).toHaveCount(3)
})

test('says at a field what is wrong with it', async ({ page, api }) => {
  await logIn(page, api)
  await page.getByLabel('title').fill('Hi')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('must have at least 3 characters')).toBeVisible()
})

test('says when the server is down', async ({ page, api }) => {
  await api.faults.add({ match: { path: '/tickets' }, status: 503 })
  await page.goto('/')
  await expect(page.getByRole('alert')).toBeVisible()
})

test('says when the login is over', async ({ page, api }) => {
  await logIn(page, api)
  await api.clock.advance('2h')
  await page.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('alert')).toContainText('expired')
})
