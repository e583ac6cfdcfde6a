import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../../support/folder.ts'
import { openPage } from './open-page.ts'

export function serviceTests(): void {
  it('tells version, health, data file, last save, layers and rules, and no secret', async () => {
    const folder = folderOf()
    const source = join(folder, 'shop.json')
    const routes = join(folder, 'routes.json')
    await writeFile(source, '{ "posts": [{ "id": 1 }] }')
    await writeFile(routes, '{ "/api/v1/*": "/$1" }')
    const { page } = await openPage({
      source,
      routes,
      at: '#/service',
      middlewares: ['cors', 'jwt', 'rate-limit'],
      jwt: { secret: 'a-secret-that-nobody-sees', users: [{ email: 'a@b.c', password: 'hush-hush' }] },
      rateLimit: { limit: 500 },
    })
    const card = (title: string) => page.getByRole('region', { name: title })
    await card('Server').getByText('ok').waitFor()
    await card('Server')
      .getByText(/^\d+\.\d+\.\d+$/)
      .waitFor()
    await card('Data').getByText('shop.json').waitFor()
    expect(await card('Data').textContent()).toMatch(/Last save\d+ \w+ \d{4}/)
    expect(await card('Layers').getByRole('listitem').allTextContents()).toEqual([
      'cors',
      expect.stringContaining('jwt'),
      expect.stringContaining('limit500'),
    ])
    await card('Rewrite rules').getByRole('row', { name: '/api/v1/* /$1' }).waitFor()
    await card('Snapshots').getByText('--snapshots').waitFor()
    const content = await page.content()
    expect(content).not.toContain('a-secret-that-nobody-sees')
    expect(content).not.toContain('hush-hush')
    expect(content).not.toContain(folder)
  })

  it('saves a snapshot, restores it after a second click, and deletes it', async () => {
    const { page, server } = await openPage({ at: '#/service', snapshots: join(folderOf(), 'kept') })
    const card = page.getByRole('region', { name: 'Snapshots' })
    await card.getByRole('button', { name: 'Save a snapshot' }).click()
    await card.getByRole('button', { name: 'Restore' }).waitFor()
    await fetch(`${server.url}/companies/1`, { method: 'DELETE' })
    await card.getByRole('button', { name: 'Restore' }).click()
    expect((await fetch(`${server.url}/companies/1`)).status).toBe(404)
    await card.getByRole('button', { name: 'Replace all data?' }).click()
    await page.getByText(/^db-\S+ restored/).waitFor()
    expect((await fetch(`${server.url}/companies/1`)).status).toBe(200)
    await card.getByRole('button', { name: 'Delete' }).click()
    await card.getByRole('button', { name: 'Delete for good?' }).click()
    await card.getByText('No snapshots yet').waitFor()
  })
}
