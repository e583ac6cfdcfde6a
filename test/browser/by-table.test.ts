import { afterAll, describe, expect, it } from 'vitest'
import { json } from '../support/http/serving.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { type OpenOptions, openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const games = () =>
  Array.from({ length: 30 }, (_, at) => ({
    id: at + 1,
    title: `Game ${at + 1}`,
    score: at,
    active: at % 2 === 0,
    tags: ['a'],
  }))

const open = (options: OpenOptions = {}) =>
  openPage({
    at: '#/data/games',
    data: { games: games() },
    context: { viewport: { width: 1280, height: 800 } },
    ...options,
  })

type Opened = Awaited<ReturnType<typeof open>>

const cell = ({ page }: Opened, text: string) => page.getByRole('cell', { name: text, exact: true })
const editor = ({ page }: Opened, column: string) => page.locator('.cell-editor').and(page.getByLabel(column))
const stored = ({ server }: Opened, id: number) => server.db.get('games').find({ id }).value()

describe.skipIf(CHROMIUM === undefined)('the table', { timeout: 60_000 }, () => {
  afterAll(closeBrowser)

  it('edits a cell that is clicked twice, and goes on with Tab', async () => {
    const opened = await open()
    const { page, faults } = opened
    await cell(opened, 'Game 3').dblclick()
    await editor(opened, 'title').waitFor()
    // The row that the first click opened is closed again.
    expect(await page.locator('.panel').count()).toBe(0)
    await page.keyboard.type('Chess')
    await page.keyboard.press('Tab')
    await editor(opened, 'score').waitFor()
    await page.keyboard.type('77')
    await page.keyboard.press('Tab')
    await editor(opened, 'active').selectOption('false')
    await page.keyboard.press('Enter')
    await expect.poll(() => stored(opened, 3)).toMatchObject({ title: 'Chess', score: 77, active: false })
    await cell(opened, 'Chess').waitFor()
    expect(faults).toEqual([])
  })

  it('edits a cell by keyboard alone: arrows lead to it, Enter begins and ends, Escape leaves it as it was', async () => {
    const opened = await open()
    const { page } = opened
    await cell(opened, 'Game 1').waitFor()
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter')
    await editor(opened, 'title').waitFor()
    await page.keyboard.type('Go')
    await press('Enter', 'ArrowDown', 'Enter')
    await expect.poll(() => editor(opened, 'title').inputValue()).toBe('Game 3')
    await page.keyboard.type('nothing')
    await press('Escape')
    await editor(opened, 'title').waitFor({ state: 'detached' })
    await expect.poll(() => stored(opened, 2)?.title).toBe('Go')
    expect(stored(opened, 3)?.title).toBe('Game 3')
    await page.getByText('Game 2 saved').waitFor()
    await press('Control+z')
    await expect.poll(() => stored(opened, 2)?.title).toBe('Game 2')
  })

  it('opens the row at once that is clicked once', async () => {
    const opened = await open()
    await cell(opened, 'Game 3').click()
    await opened.page.getByRole('heading', { name: 'Game 3' }).waitFor()
    expect(await editor(opened, 'title').count()).toBe(0)
  })

  it('overwrites nothing that changed while a cell was edited, unless it is told to', async () => {
    const opened = await open()
    const { page, server } = opened
    await page.getByText('Live', { exact: true }).waitFor()
    await cell(opened, 'Game 3').dblclick()
    await editor(opened, 'title').fill('mine')
    await fetch(`${server.url}/games/3`, json('PATCH', { title: 'theirs', score: 555 }))
    await cell(opened, '555').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('title was changed to theirs elsewhere.').waitFor()
    expect(stored(opened, 3)?.title).toBe('theirs')
    await page.keyboard.press('Enter')
    await expect.poll(() => stored(opened, 3)?.title).toBe('mine')
  })

  it('says what the server does not accept, and shows what is stored', async () => {
    const schema = { type: 'object', properties: { score: { type: 'number', maximum: 100 } } }
    const opened = await open({ resources: { games: { schema } } })
    await cell(opened, 'Game 3').dblclick()
    await opened.page.keyboard.press('Tab')
    await editor(opened, 'score').fill('500')
    await opened.page.keyboard.press('Enter')
    await opened.page.locator('.notice', { hasText: 'score must be at most 100' }).waitFor()
    await cell(opened, '500').waitFor({ state: 'detached' })
  })

  it('adds a field to all rows, or to one, and takes it back', async () => {
    const opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Field', exact: true }).click()
    await page.getByLabel('Name').fill('title')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('There is a field called title already.').waitFor()
    await page.getByLabel('Name').fill('stars')
    await page.getByLabel('Value').fill('5')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('columnheader', { name: 'stars' }).waitFor()
    expect(stored(opened, 30)?.stars).toBe(5)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => stored(opened, 30)?.stars).toBeUndefined()
    await cell(opened, 'Game 2').click()
    const panel = page.locator('.panel')
    await panel.getByRole('button', { name: 'Field', exact: true }).click()
    await page.getByLabel('Name').fill('note')
    await page.getByLabel('Value').fill('a few words')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await panel.getByText('a few words').waitFor()
    expect([stored(opened, 2)?.note, stored(opened, 1)?.note]).toEqual(['a few words', undefined])
  })

  it('begins with a new collection', async () => {
    const opened = await open({ data: {}, at: '' })
    const { page, server } = opened
    await page.getByText('There is no data yet.').waitFor()
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'Collection' }).click()
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await create('tags')
    await page.getByText('No tags yet').waitFor()
    expect(server.resources).toEqual(['tags'])
    await create('tags')
    await page.getByText('There is something called tags already.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => server.resources).toEqual([])
  })
})
