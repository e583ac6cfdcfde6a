import { afterAll, describe, expect, it } from 'vitest'
import { start } from '../../src/index.ts'
import { json } from '../support/http/serving.ts'
import { CHROMIUM } from '../support/page/browser.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'
import { openPage } from './parts/open-page.ts'
import { closeBrowser } from './parts/tabs.ts'

describe.skipIf(CHROMIUM === undefined || !hasPostgres)(
  `the page of a server on a database${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    afterAll(closeBrowser)

    it('shows what another server changes, undoes it, saves snapshots, and offers sessions', async () => {
      const source = await freshAddress()
      const options = { source, foreignKeySuffix: 'Id', snapshots: 'unused' }
      const { page, server, faults } = await openPage({ ...options, at: '#/data/posts' })
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByText('Hello, REST').waitFor()
      const other = await start(options)
      try {
        await fetch(`${other.url}/posts/1`, json('PATCH', { title: 'Changed elsewhere' }))
        await page.getByText('Changed elsewhere').waitFor()

        await page.getByRole('link', { name: 'History' }).click()
        await page.getByText('Post 1 updated').waitFor()
        await page.getByRole('button', { name: 'Undo', exact: true }).click()
        await page.getByText('Undone', { exact: true }).waitFor()
        expect(await (await fetch(`${server.url}/posts/1`)).json()).toMatchObject({ title: 'Hello, REST' })
        await expect
          .poll(async () => (await fetch(`${other.url}/posts/1`)).json())
          .toMatchObject({ title: 'Hello, REST' })

        await page.getByRole('link', { name: 'Service' }).click()
        const data = page.getByRole('region', { name: 'Data' })
        await data.getByText(/^postgres, schema t_\w+$/).waitFor()
        expect(await page.getByText('in memory').count()).toBe(0)
        await page.getByRole('button', { name: 'Save a snapshot' }).click()
        await page.getByText('Snapshot saved').waitFor()
        expect(await (await fetch(`${other.url}/__snapshots__`)).json()).toHaveLength(1)
        expect(await page.getByText('Session:').count()).toBe(1)
      } finally {
        await other.close()
      }
      expect(faults).toEqual([])
    })
  },
)
