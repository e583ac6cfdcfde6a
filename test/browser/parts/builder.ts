import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openPage } from './open-page.ts'

const PEOPLE = [
  { id: 1, name: 'Ann', age: 30, active: true, born: '1996-02-01', tags: ['red', 'a,b'], note: null },
  { id: 2, name: 'Bob', age: 40, active: false, born: '1986-03-01', tags: ['blue'], note: 'x' },
  { id: 3, name: 'Zoe', age: 50, active: true, born: '1976-04-01', tags: [], note: 'y' },
]

export function builderTests(): void {
  it.each<[string, string, (page: Page) => Promise<unknown>, string, string[]]>([
    ['age', 'more than', value('30'), 'age_gt=30', ['Bob', 'Zoe']],
    ['age', 'less than', value('40'), 'age_lt=40', ['Ann']],
    ['age', 'between', pair('30', '40'), 'age_between=30,40', ['Ann', 'Bob']],
    ['name', 'is one of', list('Ann\nZoe\n'), 'name_in=Ann,Zoe', ['Ann', 'Zoe']],
    ['name', 'is none of', list('Ann\n\nZoe'), 'name_nin=Ann,Zoe', ['Bob']],
    ['name', 'contains', value('O'), 'name_contains=O', ['Bob', 'Zoe']],
    ['name', 'starts with', value('z'), 'name_startsWith=z', ['Zoe']],
    ['name', 'ends with', value('n'), 'name_endsWith=n', ['Ann']],
    ['note', 'is empty', choice('yes'), 'note_null=true', ['Ann']],
    ['note', 'is empty', choice('no'), 'note_null=false', ['Bob', 'Zoe']],
    ['active', 'is', choice('false'), 'active=false', ['Bob']],
    ['born', 'at least', value('1986-01-01'), 'born_gte=1986-01-01', ['Ann', 'Bob']],
    ['tags', 'contains', value('red'), 'tags_contains=red', ['Ann']],
    ['tags', 'is one of', list('a,b\nblue'), 'tags_in=%22a,b%22,blue', ['Ann', 'Bob']],
  ])('asks for people whose %s %s', async (field, comparison, enter, query, names) => {
    const { page, faults } = await openPage({ at: '#/query?%2Fpeople', data: { people: PEOPLE } })
    await page.locator('summary', { hasText: 'Fields' }).waitFor()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Field', { exact: true }).fill(field)
    await page.getByLabel('Comparison').selectOption(comparison)
    await enter(page)
    expect(await page.getByLabel('Path and query').inputValue()).toBe(`/people?${query}`)
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response' })
    await response.getByRole('button', { name: 'Text' }).click()
    const body = JSON.parse((await response.locator('pre').textContent()) ?? '')
    expect(body.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(faults).toEqual([])
  })

  it('offers the comparisons that fit the field', async () => {
    const { page } = await openPage({ at: '#/query?%2Fpeople%3Fage%3D1', data: { people: PEOPLE } })
    await page.locator('summary', { hasText: 'Fields' }).waitFor()
    const offered = () => page.getByLabel('Comparison').locator('option').allTextContents()
    expect(await offered()).toContain('between')
    expect(await offered()).not.toContain('starts with')
    await page.getByLabel('Field', { exact: true }).fill('name')
    expect(await offered()).toContain('starts with')
    expect(await offered()).not.toContain('between')
  })

  it('leaves a filter out of the URL until it has a value', async () => {
    const { page } = await openPage({ at: '#/query?%2Fpeople%3Fage%3D30', data: { people: PEOPLE } })
    const url = page.getByLabel('Path and query')
    await page.locator('summary', { hasText: 'Fields' }).waitFor()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Field', { exact: true }).last().fill('name')
    await expect.poll(() => url.inputValue()).toBe('/people?age=30')
    await page.getByLabel('Value').last().fill('Ann')
    await expect.poll(() => url.inputValue()).toBe('/people?age=30&name=Ann')
    await page.getByLabel('Value').first().fill('')
    await expect.poll(() => url.inputValue()).toBe('/people?name=Ann')
    expect(await page.getByLabel('Field', { exact: true }).count()).toBe(2)
    await page.getByLabel('Value').first().fill('40')
    await expect.poll(() => url.inputValue()).toBe('/people?age=40&name=Ann')
    await url.fill('/people?active=true')
    await expect.poll(() => page.getByLabel('Field', { exact: true }).count()).toBe(1)
    expect(await page.getByLabel('Field', { exact: true }).inputValue()).toBe('active')
  })

  it('offers what fits a list and a null first, and applies nothing without a value', async () => {
    const rows = PEOPLE.map((row) => ({ ...row, gone: null }))
    const { page } = await openPage({ at: '#/data/people', data: { people: rows } })
    await page.getByRole('row', { name: 'Zoe' }).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    const comparison = page.getByLabel('Comparison')
    const field = page.getByLabel('Field', { exact: true })
    const apply = page.getByRole('button', { name: 'Apply' })
    expect(await apply.isDisabled()).toBe(true)
    await field.fill('tags')
    expect(await comparison.inputValue()).toBe('_contains')
    expect(await comparison.locator('option').allTextContents()).toEqual(
      expect.arrayContaining(['contains', 'is one of', 'is none of', 'is empty']),
    )
    await page.getByLabel('Value').fill('blue')
    await apply.click()
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('button', { name: 'Remove filter' }).click()
    await page.getByText('1–3 of 3').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await field.fill('gone')
    expect(await comparison.inputValue()).toBe('_null')
    await apply.click()
    await page.getByText('gone is empty').waitFor()
    await page.getByText('/people?gone_null=true').waitFor()
  })

  it('filters the table in the data tab by any operator, and says which', async () => {
    const { page } = await openPage({ at: '#/data/people', data: { people: PEOPLE } })
    await page.getByRole('row', { name: 'Zoe' }).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Field', { exact: true }).fill('age')
    await page.getByLabel('Comparison').selectOption('between')
    await page.getByLabel('From').fill('35')
    await page.getByLabel('To', { exact: true }).fill('50')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1–2 of 2').waitFor()
    await page.getByText('age is between 35 and 50').waitFor()
    await page.getByRole('button', { name: 'Remove filter: age is between 35 and 50' }).click()
    await page.getByText('1–3 of 3').waitFor()
  })

  it('sorts by several fields, and asks for the total in the body', async () => {
    const { page } = await openPage({ at: '#/query?%2Fpeople', data: { people: PEOPLE } })
    await page.locator('summary', { hasText: 'Fields' }).waitFor()
    await page.getByRole('button', { name: 'Add sorting' }).click()
    await page.getByRole('button', { name: 'Add sorting' }).click()
    await page.getByLabel('Sort by').first().fill('active')
    await page.getByLabel('Sort by').last().fill('age')
    await page.getByLabel('Direction').last().selectOption('descending')
    await page.getByRole('checkbox', { name: 'in the body' }).check()
    await page.getByLabel('Limit').fill('2')
    expect(await page.getByLabel('Path and query').inputValue()).toBe(
      '/people?_sort=active,age&_order=asc,desc&_per_page=2',
    )
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response' })
    await response.getByRole('button', { name: 'Text' }).click()
    const { items, data } = JSON.parse((await response.locator('pre').textContent()) ?? '')
    expect([items, data.map(({ id }: { id: number }) => id)]).toEqual([3, [2, 3]])
    await page.getByRole('checkbox', { name: 'in the body' }).uncheck()
    expect(await page.getByLabel('Path and query').inputValue()).toContain('&_limit=2')
  })

  it('takes conditions as JSON', async () => {
    const { page } = await openPage({ at: '#/query?%2Fpeople', data: { people: PEOPLE } })
    await page.locator('summary', { hasText: 'Conditions as JSON' }).click()
    await page.getByLabel('Conditions as JSON').fill('{"or":[{"age":{"gt":45}},{"name":{"startsWith":"A"}}]}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Response' }).getByText('"Zoe"').waitFor()
    expect(await page.getByText('"Bob"').count()).toBe(0)
  })
}

function value(text: string) {
  return (page: Page) => page.getByLabel('Value').fill(text)
}

function pair(from: string, to: string) {
  return async (page: Page) => {
    await page.getByLabel('From').fill(from)
    await page.getByLabel('To', { exact: true }).fill(to)
  }
}

function list(text: string) {
  return (page: Page) => page.getByLabel('Values, one per line').pressSequentially(text)
}

function choice(name: string) {
  return (page: Page) => page.getByLabel('Value').selectOption(name)
}
