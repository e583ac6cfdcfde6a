import { expect, it, onTestFinished, vi } from 'vitest'
import { loadFakes } from '../../src/grow/fakes.ts'
import { open } from '../../src/index.ts'

vi.mock('@faker-js/faker/locale/en', () => {
  throw new Error('Cannot find package')
})

it('recombines texts where faker is not installed', async () => {
  expect(await loadFakes()).toBeUndefined()
  const users = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper'].map((name, at) => ({ id: at + 1, name }))
  const api = await open({ data: { users }, live: false })
  onTestFinished(() => api.close())
  await api.grow({ users: 20 })
  for (const name of api.db.get('users').map('name').value())
    expect(name).toMatch(/^(Ada|Alan|Grace) (Lovelace|Turing|Hopper)$/)
})
