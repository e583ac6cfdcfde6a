import { expect, it, vi } from 'vitest'
import { loadFakes } from '../../../src/wings/making/fakes.ts'
import { openApi } from '../../support/http/serve.ts'

vi.mock('@faker-js/faker/locale/en', () => {
  throw new Error('Cannot find package')
})

it('draws from the texts of rows where faker is not installed', async () => {
  expect(await loadFakes()).toBeUndefined()
  const names = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper']
  const users = names.map((name, at) => ({ id: at + 1, name }))
  const api = await openApi({ data: { users }, live: false })
  await api.grow({ users: 20 })
  for (const name of api.db.get('users').map('name').value()) expect(names).toContain(name)
})
