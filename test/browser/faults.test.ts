import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, PHONE, seriousIn } from './parts/appearance.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

describe.skipIf(CHROMIUM === undefined)('faults on the page', () => {
  afterAll(closeBrowser)

  it('adds a rule from a form, shows what it does, turns it off and removes it', async () => {
    const { page, server, faults } = await openPage({ at: '#/faults' })
    const status = async () => (await fetch(`${server.url}/products/1`)).status
    await page.getByText('Live').waitFor()
    await page.getByText('No rules: nothing fails on purpose.').waitFor()
    await page.getByLabel('Method').selectOption('GET')
    await page.getByLabel('Path').fill('/products/*')
    await page.getByLabel('Status', { exact: true }).fill('429')
    await page.getByLabel('Skip first').fill('1')
    await page.getByRole('button', { name: 'Add rule' }).click()

    const rules = page.getByRole('region', { name: 'Rules', exact: true })
    await rules.getByText('GET /products/*').waitFor()
    await rules.getByText('not the first 1').waitFor()
    expect([await status(), await status()]).toEqual([200, 429])
    await rules.getByText('1 of 2').waitFor()
    const log = page.getByRole('region', { name: 'Log', exact: true })
    await log.getByText('skipped').waitFor()
    expect(await log.locator('tbody tr').first().textContent()).toMatch(/GET \/products\/11429$/)

    await rules.getByRole('checkbox').click()
    await rules.locator('li.off').waitFor()
    expect(await status()).toBe(200)
    await rules.getByRole('checkbox').click()
    await rules.locator('li:not(.off)').waitFor()
    expect(await status()).toBe(429)
    await rules.getByRole('button', { name: 'Remove rule 1' }).click()
    await page.getByText('No rules: nothing fails on purpose.').waitFor()
    expect(faults).toEqual([])
  })

  it.each([
    ['a desk', { ...PHONE, viewport: { width: 1280, height: 800 } }],
    ['a phone', PHONE],
  ])('has on %s a form that reads from top to bottom, and one way to reset', async (_, context) => {
    const { page } = await openPage({ at: '#/faults', context })
    await page.getByRole('button', { name: 'Add rule' }).waitFor()
    const form = page.locator('.rule-form')
    expect(await form.locator('legend').allTextContents()).toEqual([
      'When a request matches',
      'Respond with',
      'How often',
    ])
    const tops: number[] = []
    for (const control of await form.locator('input, select, .primary').all()) {
      tops.push((await control.boundingBox())?.y ?? 0)
    }
    expect(tops).toEqual([...new Set(tops)].toSorted((a, b) => a - b))
    expect(await page.getByRole('button', { name: /reset/i }).count()).toBe(1)
    expect(await seriousIn(page)).toEqual([])
    expect(await fitsWidth(page)).toBe(true)
  })

  it('moves the switch of a rule with the click, and back if the server cannot be asked', async () => {
    const { page, server } = await openPage({ at: '#/faults', faults: { rules: [{ status: 503 }] } })
    const rules = page.getByRole('region', { name: 'Rules', exact: true })
    const isChecked = () => rules.getByRole('checkbox').isChecked()
    await page.getByText('Live').waitFor()
    let pass = () => {}
    await page.route('**/__faults/1', async (route) => {
      await new Promise<void>((resolve) => {
        pass = resolve
      })
      await route.continue()
    })
    const asked = page.waitForRequest('**/__faults/1')
    await rules.getByRole('checkbox').click()
    await asked
    // Something else happens meanwhile, and the page shows it.
    await fetch(`${server.url}/products/1`)
    await rules.getByText('1 of 1').waitFor()
    expect(await isChecked()).toBe(false)
    pass()
    await rules.locator('li.off').waitFor()
    expect(await isChecked()).toBe(false)
    await page.unroute('**/__faults/1')
    await page.route('**/__faults/1', (route) => route.abort())
    await rules.getByRole('checkbox').click()
    await rules.getByRole('alert').waitFor()
    expect(await isChecked()).toBe(false)
  })

  it('makes a rule of each choice', async () => {
    const { page, server } = await openPage({ at: '#/faults' })
    const choices = [
      'Connection reset',
      'Closed without a response',
      'No response',
      'Half of the response',
      'Only slow',
    ]
    await page.getByLabel('Delay in ms').fill('10-20')
    await page.getByLabel('Percent').fill('25')
    await page.getByLabel('Max. failures').fill('3')
    for (const [place, choice] of choices.entries()) {
      await page.getByLabel('What happens').selectOption(choice)
      await page.getByRole('button', { name: 'Add rule' }).click()
      await page.getByText('25 % · 3 times · after 10–20 ms').nth(place).waitFor()
    }
    const { rules } = JSON.parse(await (await fetch(`${server.url}/__faults`)).text())
    const common = { on: true, rate: 0.25, times: 3, delay: [10, 20], matched: 0, hits: 0 }
    expect(rules).toEqual([
      { id: 5, ...common },
      { id: 4, ...common, fault: 'truncate' },
      { id: 3, ...common, fault: 'hang' },
      { id: 2, ...common, fault: 'empty' },
      { id: 1, ...common, fault: 'reset' },
    ])
  })

  it('says in the words of the server what is wrong with a rule', async () => {
    const { page } = await openPage({ at: '#/faults' })
    await page.getByLabel('Status', { exact: true }).fill('99')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('alert').getByText('must be a status from 200 to 599, not 99').waitFor()
  })

  it('goes back to the rules of the config', async () => {
    const { page } = await openPage({
      at: '#/faults',
      faults: { seed: 7, rules: [{ status: 404, on: false }] },
    })
    await page.getByText('Seed 7').waitFor()
    const rules = page.locator('.fault-rules li')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await expect.poll(() => rules.count()).toBe(2)
    await page.getByRole('button', { name: 'Reset rules' }).click()
    await expect.poll(() => rules.count()).toBe(1)
  })

  it('lets the next request like one in the list fail', async () => {
    const { page, server } = await openPage({ at: '#/requests' })
    await page.getByText('Live').waitFor()
    const status = async () => (await fetch(`${server.url}/products/1?a=(b)`)).status
    expect(await status()).toBe(200)
    await page.getByRole('button', { name: '/products/1?a=(b)' }).click()
    await page.getByRole('button', { name: 'Fail the next one' }).click()
    await page.getByText('The next GET /products/1 fails with 503').waitFor()
    expect([await status(), await status()]).toEqual([503, 200])
    await page.getByRole('button', { name: 'Show rules' }).click()
    await page.getByText('once').waitFor()
  })

  it('turns the clock', async () => {
    const { page, server } = await openPage({ at: '#/faults' })
    const clock = page.getByRole('region', { name: 'Clock' })
    await clock.getByText('real time', { exact: true }).waitFor()
    server.clock.set({ now: '2027-01-01T00:00:00Z', frozen: true })
    await clock.getByRole('button', { name: '+1 hour' }).click()
    await clock.locator('time[datetime="2027-01-01T01:00:00.000Z"]').waitFor()
    await clock.getByText('frozen', { exact: true }).waitFor()
    await clock.getByRole('button', { name: 'Let it run' }).click()
    await clock.getByText(/^\+\d+ (?:h|days)$/).waitFor()
    const shown = async () => Date.parse((await clock.locator('time').getAttribute('datetime')) ?? '')
    const from = await shown()
    await expect.poll(shown, { timeout: 10_000 }).toBeGreaterThan(from + 900)
    await clock.getByRole('button', { name: 'Real time' }).click()
    await clock.getByText('real time', { exact: true }).waitFor()
    expect(server.clock.isReal).toBe(true)
  })

  it('says that faults are off, and still shows the clock', async () => {
    const { page } = await openPage({ at: '#/faults', noFaults: true })
    await page.getByText('Off: the server was started with --no-faults').waitFor()
    await page.getByRole('region', { name: 'Clock' }).waitFor()
    expect(await page.getByRole('button', { name: 'Add rule' }).count()).toBe(0)
  })
})
