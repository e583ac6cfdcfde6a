import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const schema = {
  type: 'object',
  required: ['email', 'level', 'role', 'status'],
  properties: {
    email: { type: 'string', format: 'email' },
    level: { type: 'integer', minimum: 0 },
    role: { enum: ['admin', 'reader'] },
    born: { type: ['string', 'null'], format: 'date' },
    status: { enum: ['new', 'old'], default: 'new' },
    score: { type: 'number', readOnly: true },
    offices: { type: 'array', items: { type: 'object', required: ['city'] } },
    company_id: { type: 'integer' },
  },
  additionalProperties: false,
}

const resources = {
  users: {
    schema,
    unique: ['email'],
    references: { company_id: { resource: 'companies', onDelete: 'restrict' as const } },
    timestamps: true,
  },
}

const data = () => ({
  users: [{ id: 1, email: 'ada@example.com', level: 1, role: 'admin', company_id: 1, score: 5 }],
  companies: [
    { id: 1, name: 'Acme' },
    { id: 7, name: 'Gone' },
  ],
})

describe.skipIf(CHROMIUM === undefined)('the page of a server with rules', () => {
  afterAll(closeBrowser)

  it.each([
    ['laravel', { data: { email: 'bo@example.com', level: 3, company_id: 1 } }],
    [
      { list: { rows: '$rows' }, item: { row: '$row' }, error: { oops: '$message' }, keys: 'camel' },
      { row: { email: 'bo@example.com', level: 3, companyId: 1 } },
    ],
  ] as const)(
    'shows, creates and changes rows by their stored names under the shape %j',
    async (shape, shown) => {
      const { page, server, faults } = await openPage({ at: '#/data/users', data: data(), resources, shape })
      const input = (name: string) => page.getByLabel(name, { exact: true })
      await page.getByRole('cell', { name: 'ada@example.com' }).waitFor()
      await page.getByText('1–1 of 1').waitFor()
      await page.getByRole('button', { name: 'New' }).click()
      await input('email').fill('bo@example.com')
      await input('level').fill('-1')
      await input('role').selectOption('reader')
      await input('company_id').fill('Acme')
      await page.getByRole('option', { name: 'Acme' }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('alert').getByText('422 VALIDATION_FAILED').waitFor()
      await page.getByText('must be at least 0', { exact: true }).waitFor()
      await input('level').fill('2')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('heading', { name: 'User 2' }).waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      await input('level').fill('3')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('User 2 saved').waitFor()
      expect(await (await fetch(`${server.url}/users/2`)).json()).toMatchObject(shown)
      expect(faults).toEqual([])
    },
  )

  it('says at each field what its rules find, until the row is taken', async () => {
    const { page, server, faults } = await openPage({ at: '#/data/users/new', data: data(), resources })
    const input = (name: string) => page.getByLabel(name, { exact: true })
    const create = () => page.getByRole('button', { name: 'Create', exact: true }).click()
    const choose = async (company: string) => {
      const option = page.getByRole('option', { name: company })
      // The list closes when the page loads what another client deleted.
      const pick = async () => {
        await input('company_id').fill(company)
        return option.click({ timeout: 3000 }).then(
          () => true,
          () => false,
        )
      }
      await expect.poll(pick, { timeout: 20_000 }).toBe(true)
    }
    const told = async (name: string) => {
      const id = (await input(name).getAttribute('aria-describedby')) ?? 'nothing'
      return page.locator(`[id="${id}"]`).textContent()
    }
    await page.getByRole('combobox', { name: 'role' }).waitFor()
    await input('role').selectOption('reader')
    expect(await input('status').inputValue()).toBe('new')
    // What has a default need not be sent.
    const isAsked = (name: string) => input(name).getAttribute('aria-required')
    expect([await isAsked('role'), await isAsked('status')]).toEqual(['true', 'false'])
    expect(await Promise.all(['score', 'createdAt', 'id'].map((name) => input(name).count()))).toEqual([
      0, 0, 0,
    ])

    await input('email').fill('nobody')
    await input('level').fill('-1')
    await input('offices').fill('[{}]')
    await choose('Gone')
    await create()
    await page.getByRole('alert').getByText('422 VALIDATION_FAILED').waitFor()
    expect([await told('email'), await told('level'), await told('offices')]).toEqual([
      'must be an email address',
      'must be at least 0',
      '0.city is required',
    ])

    await input('email').fill('ada@example.com')
    await input('level').fill('2')
    await input('offices').fill('[{"city":"Oslo"}]')
    await create()
    await page.getByRole('alert').getByText('409 NOT_UNIQUE').waitFor()
    expect(await told('email')).toBe('is already taken')

    await input('email').fill('bo@example.com')
    await fetch(`${server.url}/companies/7`, { method: 'DELETE' })
    await create()
    await page.getByRole('alert').getByText('422 VALIDATION_FAILED').waitFor()
    expect(await told('company_id')).toBe('must be the id of one of companies: there is no 7')

    await choose('Acme')
    await create()
    await page.getByRole('heading', { name: 'User 2' }).waitFor()
    expect(await (await fetch(`${server.url}/users/2`)).json()).toEqual({
      ...{ id: 2, email: 'bo@example.com', level: 2, role: 'reader', status: 'new', company_id: 1 },
      offices: [{ city: 'Oslo' }],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(faults).toEqual([])
  })

  it('says why a row cannot be deleted, and keeps it', async () => {
    const { page, server } = await openPage({ at: '#/data/companies/.1', data: data(), resources })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('companies 1 is still referenced by users 1').first().waitFor()
    expect((await fetch(`${server.url}/companies/1`)).status).toBe(200)
  })
})
