import { expect, it } from 'vitest'
import { openPage } from './open-page.ts'

const IMAGE = '<img src=x onerror="window.hacked = true">'
const SCRIPT = '<script>window.hacked = true</script>'
const UNICODE = '👩‍👩‍👧 ‮evil‬ Ωmega ñ 漢字 \u0000 \u2028'

/** As a file or a client could bring it; the literal would set the prototype. */
const strange = JSON.parse(
  `{ "__proto__": "own", "constructor": "own too", ${JSON.stringify(IMAGE)}: ${JSON.stringify(SCRIPT)} }`,
)

export function hostileTests(): void {
  it('shows markup as text wherever it turns up', async () => {
    const rows = [{ id: 1, name: IMAGE, ...strange }]
    const { page, server, faults } = await openPage({ data: { rows, [IMAGE]: [{ id: IMAGE }] } })
    await page.getByRole('cell', { name: IMAGE }).first().waitFor()
    await page.locator('.grid tbody tr').click()
    const panel = page.getByRole('region', { name: 'Row 1' })
    await panel.getByText(SCRIPT).waitFor()
    await panel.getByText('__proto__').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('__proto__').fill('still own')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Row 1 saved').waitFor()
    expect(await (await fetch(`${server.url}/rows/1`)).text()).toContain('"__proto__": "still own"')

    await page.getByRole('navigation', { name: 'Resources' }).getByRole('link', { name: IMAGE }).click()
    await page.locator('.grid tbody tr').click()
    await page.getByRole('heading', { name: IMAGE, level: 2 }).waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.locator('#app img, #app script').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('shows markup in a request as text', async () => {
    const { page, server, faults } = await openPage({ at: '#/requests' })
    await page.getByText('Live').waitFor()
    await fetch(`${server.url}/products?q=<img src=x onerror=hacked=1>`, { headers: { 'X-Evil': SCRIPT } })
    await page.locator('.requests tbody tr').first().click()
    await page.getByRole('region', { name: 'Request', exact: true }).getByText('Headers').click()
    await page.getByText(SCRIPT).waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(faults).toEqual([])
  })

  it('cuts a text of a megabyte, and shows all of it on request', async () => {
    const long = `start ${'x'.repeat(1024 * 1024)} end`
    const { page } = await openPage({ data: { rows: [{ id: 1, long }] }, at: '#/data/rows/.1' })
    const button = page.getByRole('button', { name: 'Show all 1,048,586 characters' })
    await button.waitFor()
    expect((await page.content()).length).toBeLessThan(50_000)
    await button.click()
    expect((await page.getByLabel('Full text').inputValue()).endsWith(' end')).toBe(true)
  })

  it('shows any script of the world, and what moves or hides text', async () => {
    const { page, faults } = await openPage({ data: { 'größe 漢': [{ id: 1, text: UNICODE }] } })
    await page.getByRole('link', { name: 'größe 漢 1' }).waitFor()
    await page.getByRole('cell', { name: 'Ωmega ñ 漢字' }).waitFor()
    expect(faults).toEqual([])
  })

  it('opens what is nested hundreds of levels deep, level by level', async () => {
    const deep = JSON.parse(`${'['.repeat(900)}1${']'.repeat(900)}`)
    const { page, faults } = await openPage({ data: { rows: [{ id: 1, deep }] }, at: '#/data/rows/.1' })
    await page.getByRole('region', { name: 'Row 1' }).locator('summary', { hasText: '0' }).first().waitFor()
    expect(faults).toEqual([])
  })

  it('stands rows that are no objects, lists of lists, and rows without id', async () => {
    const { page, faults } = await openPage({ data: { rows: [1, 'two', null, [3], { name: 'four' }] } })
    await page.getByRole('cell', { name: 'four' }).waitFor()
    expect(faults).toEqual([])
  })
}
