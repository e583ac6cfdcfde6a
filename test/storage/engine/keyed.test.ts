import { expect, it } from 'vitest'
import { Engine } from '../../../src/storage/engine/engine.ts'
import type { Row } from '../../../src/storage/types.ts'

it('finds a row by a text of any case through an index: nobody who logs in waits for all users', async () => {
  let reads = 0
  const users = Array.from({ length: 5000 }, (_, at): Row => {
    const row: Row = { id: at + 1 }
    return Object.defineProperty(row, 'email', {
      enumerable: true,
      get() {
        reads++
        return `User${at + 1}@example.com`
      },
    })
  })
  const engine = new Engine({ users }, { id: 'id', foreignKeySuffix: 'Id' })
  const find = async (text: string) =>
    (await engine.read({ kind: 'keyed', collection: 'users', field: 'email', text })).found?.id
  expect(await find('user7@example.com')).toBe(7)
  expect(reads).toBeGreaterThanOrEqual(5000)
  reads = 0
  expect(await find('USER4000@example.com')).toBe(4000)
  expect(await find('nobody@example.com')).toBeUndefined()
  expect(reads).toBeLessThan(10)
})
