import { expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import { countReads } from '../../support/engine/count-reads.ts'

it('finds a row by a text of any case through an index: nobody who logs in waits for all users', async () => {
  const all = Array.from({ length: 5000 }, (_, at) => ({ id: at + 1, email: `User${at + 1}@example.com` }))
  const users = countReads(all, 'email')
  const engine = new Engine({ users: users.rows }, { id: 'id', foreignKeySuffix: 'Id' })
  const find = async (text: string) =>
    (await engine.read({ kind: 'keyed', collection: 'users', field: 'email', text })).found?.id
  expect(await find('user7@example.com')).toBe(7)
  expect(users.reads).toBeGreaterThanOrEqual(5000)
  users.reads = 0
  expect(await find('USER4000@example.com')).toBe(4000)
  expect(await find('nobody@example.com')).toBeUndefined()
  expect(users.reads).toBeLessThan(10)
})
