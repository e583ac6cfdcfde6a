import { afterAll, describe, expect, it } from 'vitest'
import { json } from '../support/http/serving.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { fitsWidth, PHONE, seriousIn } from './parts/appearance.ts'
import { holdBack } from './parts/hold-back.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

const things = () => [1, 2, 3].map((id) => ({ id, name: `thing ${id}`, size: id }))

async function open(at = '#/history') {
  const opened = await openPage({ data: { things: things() }, at })
  const { url } = opened.server
  // From then on it hears of changes.
  await opened.page.getByText('Live', { exact: true }).waitFor()
  const ask = (path: string, init?: RequestInit) => fetch(url + path, init)
  const all = async () => (await ask('/things')).json()
  return { ...opened, ask, all }
}

describe.skipIf(CHROMIUM === undefined)('the history on the page', () => {
  afterAll(closeBrowser)

  it('shows what changed, by which request, as it happens, and undoes from there on', async () => {
    const { page, ask, all, faults } = await open()
    await page.getByText('Nothing has changed').waitFor()
    await ask('/things/2', json('PATCH', { name: 'renamed' }))
    await page.getByRole('row', { name: 'Thing 2 updated PATCH /things/2' }).waitFor()
    await ask('/things/3', { method: 'DELETE' })
    await ask('/things', json('POST', [{ name: 'a' }, { name: 'b' }]))
    const rows = page.getByRole('region', { name: 'Changes' }).locator('tbody tr')
    await page.getByText('2 things created').waitFor()
    expect(await rows.count()).toBe(3)

    await page.getByRole('button', { name: 'Thing 2 updated' }).click()
    const panel = page.getByRole('region', { name: 'Thing 2 updated' })
    const text = (await panel.textContent()) ?? ''
    expect(text).toMatch(/PATCH \/things\/2.*Before.*thing 2.*After.*renamed/)
    // Only what differs.
    expect(text).not.toContain('size')
    await panel.getByRole('button', { name: 'Undo this and everything after' }).click()
    await page.getByText('Undone with everything after').waitFor()
    expect(await all()).toEqual(things())
    await panel.getByRole('button', { name: 'Redo up to here' }).click()
    await page.getByText('Redone up to there').waitFor()
    expect(await all()).toMatchObject([{}, { name: 'renamed' }, {}])

    await page.getByRole('button', { name: 'Redo', exact: true }).click()
    await page.getByText('Redone', { exact: true }).waitFor()
    expect(await all()).toHaveLength(2)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect(await all()).toHaveLength(3)
    expect(faults).toEqual([])
  })

  it('asks before it resets', async () => {
    const { page, ask, all } = await open()
    await ask('/things/1', { method: 'DELETE' })
    await page.getByText('Thing 1 deleted').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    expect(await all()).toHaveLength(2)
    await page.getByRole('button', { name: 'Reset all data?' }).click()
    await page.getByText('All data was reset').waitFor()
    expect(await all()).toEqual(things())
    await page.getByText('Nothing has changed').waitFor()
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true)
  })

  it('brings back a deleted row with its dependents, through the history', async () => {
    const data = {
      posts: [{ id: 1 }, { id: 2 }],
      comments: [
        { id: 1, post_id: 1 },
        { id: 2, post_id: 2 },
      ],
    }
    const { page, server } = await openPage({
      data: structuredClone(data),
      cascade: true,
      at: '#/data/posts/.1',
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete all of them' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Post 1 restored').waitFor()
    expect(await (await fetch(`${server.url}/db`)).json()).toEqual(data)
    const history = await (await fetch(`${server.url}/__history`)).json()
    expect(history).toMatchObject([{ method: 'POST', url: '/__undo' }, { undone: true }])
  })

  it('takes back the deletion, and nothing that others did right after it', async () => {
    const { page, ask, all } = await open('#/data/things/.1')
    const release = await holdBack(page, '**/__history?_limit=50')
    await page.getByRole('button', { name: 'Delete' }).click()
    await release(async () => void (await ask('/things/2', json('PATCH', { name: 'renamed' }))))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Thing 1 restored').waitFor()
    expect(await all()).toMatchObject([{ id: 1 }, { id: 2, name: 'renamed' }, { id: 3 }])
  })

  it('misses no change between its first look and its first connection', async () => {
    const { page, ask } = await open()
    const release = await holdBack(page, '**/__events')
    await page.reload()
    await page.getByText('Nothing has changed').waitFor()
    await release(async () => void (await ask('/things/2', { method: 'DELETE' })))
    await page.getByText('Thing 2 deleted').waitFor()
  })

  it.each(['history', 'requests', 'service'])(
    'fits a phone while there is nothing to show: %s',
    async (view) => {
      const { page } = await openPage({ data: { things: [] }, at: `#/${view}`, context: PHONE })
      await page.getByText('Live', { exact: true }).waitFor()
      expect(await fitsWidth(page)).toBe(true)
      expect(await seriousIn(page)).toEqual([])
    },
  )
})
