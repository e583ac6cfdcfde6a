import { expect, it } from 'vitest'
import { writeValue } from '../../../src/storage/json/write-out.ts'

it('writes a long value in slices, so that others get their turn, and a short one right away', async () => {
  const long = Array.from({ length: 200_000 }, (_, id) => ({ id, title: `Title ${id}` }))
  let turns = 0
  let isOn = true
  const count = () => {
    turns += 1
    if (isOn) setImmediate(count)
  }
  setImmediate(count)
  const pieces = await writeValue(long)
  isOn = false
  expect(turns).toBeGreaterThan(3)
  expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(long, null, 2))
  expect(writeValue([1])).not.toBeInstanceOf(Promise)
})
