import { expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Row } from '../../../src/core/engine/types.ts'

const ROWS = 300_000

/** Milliseconds, the best of three. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

it('among many rows, an insert and a removal take no time, and a row with a string as id does not change that', async () => {
  const items = Array.from({ length: ROWS }, (_, at) => ({ id: at + 1, name: `Item ${at}` }))
  const engine = new Engine({ items }, { id: 'id', foreignKeySuffix: 'Id' })
  const add = (row: Row) => engine.write({ kind: 'insert', collection: 'items', rows: [row] })
  const remove = (id: string) => engine.write({ kind: 'remove', collection: 'items', id })
  await add({})
  expect(await timeOf(() => add({}))).toBeLessThan(20)
  let next = 1000
  expect(await timeOf(() => remove(String(next++)))).toBeLessThan(20)
  await add({ id: 'text' })
  expect(await timeOf(() => add({}))).toBeLessThan(20)
  await remove('text')
  expect(await timeOf(() => add({}))).toBeLessThan(20)
})
