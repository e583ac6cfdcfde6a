import { expect, it } from 'vitest'
import { fileOf } from '../../support/folder.ts'
import { fitsWidth, PHONE, seriousIn } from './appearance.ts'
import { helpDesk } from './help-desk.ts'
import { openPage } from './open-page.ts'

const USERS = [
  {
    id: 1,
    email: 'ada@example.com',
    born: '1990-01-02',
    seen: '2026-01-31T10:00:00Z',
    level: 1,
    role: 'admin',
    isActive: true,
    company_id: 1,
    offices: [{ city: 'Rome' }],
    createdAt: '2026-01-01T00:00:00Z',
  },
]
const DATA = { users: USERS, companies: [{ id: 1, name: 'Acme' }] }

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    email: { type: 'string', format: 'email' },
    born: { type: ['string', 'null'], format: 'date' },
    seen: { type: 'string', format: 'date-time' },
    level: { type: 'integer', minimum: 0 },
    role: { enum: ['admin', 'editor', 'reader'] },
    isActive: { type: 'boolean' },
    company_id: { type: 'integer', 'x-references': 'companies' },
    offices: { type: 'array', items: { type: 'object' } },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
  },
  required: ['email', 'level', 'role', 'isActive'],
}

/** Says what a server with a schema says. */
const RULES = `
module.exports = (req, res, next) => {
  if (req.method === 'GET' && req.path === '/__schema/users') return res.json(${JSON.stringify(SCHEMA)})
  if (req.method === 'GET' || req.path.split('/')[1] !== 'users') return next()
  const errors = {}
  if (req.body.level < 0) errors.level = 'must be at least 0'
  if (req.body.offices && !req.body.offices.every(({ city }) => city)) errors['offices.0.city'] = 'is required'
  if (req.body.email === 'ada@example.com') errors.email = 'is taken'
  if (req.body.level === -2) errors.secret = 'is not known'
  if (Object.keys(errors).length === 0) return next()
  res.status(422).json({ error: 'Unprocessable content', message: 'The row does not fit.', code: 'VALIDATION_FAILED', errors })
}
`

async function withRules() {
  const file = fileOf(RULES, 'rules.cjs')
  return { data: structuredClone(DATA), middlewares: [file] }
}

export function formTests(): void {
  it('takes its inputs from the schema, and shows what is wrong at the field', async () => {
    const { page, server, faults } = await openPage({ at: '#/data/users/new', ...(await withRules()) })
    const input = (name: string) => page.getByLabel(name, { exact: true })
    await page.getByRole('combobox', { name: 'role' }).waitFor()
    const types = ['email', 'born', 'seen', 'level'].map((name) => input(name).getAttribute('type'))
    expect(await Promise.all(types)).toEqual(['email', 'date', 'datetime-local', 'number'])
    expect(await input('role').locator('option').allTextContents()).toEqual([
      '—',
      'admin',
      'editor',
      'reader',
    ])
    expect(await input('email').getAttribute('aria-required')).toBe('true')
    expect(await input('born').getAttribute('aria-required')).toBe('false')
    expect(await input('createdAt').count()).toBe(0)
    await page.getByText('The server fills in id, createdAt.').waitFor()

    await input('email').fill('ada@example.com')
    await input('level').fill('-2')
    await input('role').selectOption('editor')
    await input('born').fill('2001-02-03')
    await input('offices').fill('[{}]')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('alert').getByText('422 VALIDATION_FAILED').waitFor()
    const told = async (name: string) => {
      const id = (await input(name).getAttribute('aria-describedby')) ?? 'nothing'
      return page.locator(`[id="${id}"]`).textContent()
    }
    expect([await told('email'), await told('level'), await told('offices')]).toEqual([
      ...['is taken', 'must be at least 0', '0.city is required'],
    ])
    await page.getByText('secret is not known').waitFor()
    expect(await page.evaluate('document.activeElement.dataset.field')).toBe('email')
    // The rest stays typed, and what is corrected is no longer wrong.
    expect(await input('born').inputValue()).toBe('2001-02-03')
    await input('email').fill('bo@example.com')
    expect(await input('email').getAttribute('aria-invalid')).toBe('false')
    await input('level').fill('2')
    await input('offices').fill('[{"city":"Oslo"}]')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'User 2' }).waitFor()
    expect(await (await fetch(`${server.url}/users/2`)).json()).toEqual({
      email: 'bo@example.com',
      born: '2001-02-03',
      level: 2,
      role: 'editor',
      isActive: false,
      offices: [{ city: 'Oslo' }],
      id: 2,
    })
    expect(faults).toEqual([])
  })

  it('changes a moment in local time, and nothing that the server sets', async () => {
    const { page, server } = await openPage({
      at: '#/data/users/.1',
      ...(await withRules()),
      context: { timezoneId: 'Europe/Rome' },
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    const seen = page.getByLabel('seen', { exact: true })
    await page.locator('input[type="datetime-local"]').first().waitFor()
    expect(await seen.inputValue()).toMatch(/^2026-01-31T11:00/)
    expect(await page.getByLabel('createdAt').isDisabled()).toBe(true)
    await seen.fill('2026-07-01T12:30')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    // What is untouched is not sent, and keeps its format.
    expect((await sent).postData()).toBe('{"seen":"2026-07-01T10:30:00Z"}')
    await page.getByText('User 1 saved').waitFor()
    expect(await (await fetch(`${server.url}/users/1`)).json()).toMatchObject({ level: 1, role: 'admin' })
  })

  const WIDTHS = [1280, 390].map((width) => ({ viewport: { width, height: 600 } }))
  it.each(WIDTHS)('keeps Save in sight, suggests, and has room for long texts: %j', async (context) => {
    const { page, server } = await openPage({
      data: helpDesk(),
      foreignKeySuffix: 'Id',
      at: '#/data/tickets/new',
      context: { ...context, bypassCSP: true, colorScheme: 'light' },
    })
    await page.locator('input[type="date"]').waitFor()
    const create = page.getByRole('button', { name: 'Create', exact: true })
    const isInSight = async () => {
      const box = await create.boundingBox()
      return box !== null && box.y > 0 && box.y + box.height <= 600
    }
    expect(await isInSight()).toBe(true)
    await page.getByLabel('title').focus()
    expect(await isInSight()).toBe(true)
    expect(await page.locator('textarea').getAttribute('data-field')).toBe('text')
    const list = await page.getByLabel('status').getAttribute('list')
    const offered = page.locator(`[id="${list}"] option`)
    expect(await offered.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual([
      'closed',
      'open',
      'waiting',
    ])
    expect(await page.getByLabel('isUrgent').getAttribute('type')).toBe('checkbox')
    expect(await page.getByLabel('seenAt').getAttribute('type')).toBe('datetime-local')
    expect(await page.getByText('required').count()).toBe(0)
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
    await page.getByLabel('title').fill('x'.repeat(80))
    expect(await page.evaluate('document.activeElement.dataset.field')).toBe('title')
    await page.getByLabel('text', { exact: true }).fill('two\nlines')
    await create.click()
    await page.getByRole('heading', { name: 'Ticket 31' }).waitFor()
    expect(await (await fetch(`${server.url}/tickets/31`)).json()).toMatchObject({ text: 'two\nlines' })
  })

  it('says which fields the server fills in, and requires none of them', async () => {
    const { page, server } = await openPage({
      data: { notes: [{ id: 1, text: 'a', createdAt: 'x', updatedAt: 'y', state: 'new' }] },
      resources: {
        notes: {
          timestamps: true,
          schema: {
            type: 'object',
            properties: { text: { type: 'string' }, state: { type: 'string', default: 'new' } },
            required: ['text', 'state'],
          },
        },
      },
      at: '#/data/notes/new',
    })
    await page.getByText('The server fills in id, createdAt, updatedAt.').waitFor()
    await page.getByText('default new').waitFor()
    expect(await page.getByText('required').count()).toBe(1)
    expect(await page.getByLabel('state').getAttribute('aria-required')).toBe('false')
    await page.getByLabel('text').fill('b')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Note 2' }).waitFor()
    expect(await (await fetch(`${server.url}/notes/2`)).json()).toMatchObject({ text: 'b', state: 'new' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('set by the server').first().waitFor()
    expect(await page.getByLabel('updatedAt').isDisabled()).toBe(true)
  })

  it('shows errors of the JSON editor, too', async () => {
    const { page } = await openPage({ at: '#/data/users/.1', ...(await withRules()) })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    await page.getByLabel('The row as JSON').fill('{ "level": -1, "offices": [{}] }')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('level must be at least 0').waitFor()
    await page.getByText('offices.0.city is required').waitFor()
  })

  it('refuses nothing that the server takes where the schema is only inferred', async () => {
    const { page, server } = await openPage({ at: '#/data/users/new', data: structuredClone(DATA) })
    await page.locator('input[type="email"]').waitFor()
    expect(await page.getByText('required', { exact: true }).count()).toBe(0)
    await page.getByLabel('email').fill('not an address')
    await page.getByLabel('level').fill('1.5')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'User 2' }).waitFor()
    expect(await (await fetch(`${server.url}/users/2`)).json()).toEqual({
      ...{ email: 'not an address', level: 1.5, isActive: false, offices: [], id: 2 },
    })
  })

  it('does not send half a date', async () => {
    const { page } = await openPage({ at: '#/data/users/new', data: structuredClone(DATA) })
    await page.locator('input[type="date"]').pressSequentially('12')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('alert').getByText('born is not a date yet').waitFor()
    expect(await page.evaluate('document.activeElement.dataset.field')).toBe('born')
  })

  it('is readable with its errors, on a phone and in the dark, too', async () => {
    const { page } = await openPage({ at: '#/data/users/new', ...(await withRules()), context: PHONE })
    await page.getByRole('combobox', { name: 'role' }).waitFor()
    await page.getByLabel('level').fill('-1')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('must be at least 0').waitFor()
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
  })
}
