import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { OwnBytes } from '../../../src/storage/data/own-bytes.ts'
import { Engine } from '../../../src/storage/engine/engine.ts'
import { runs } from '../../support/length.ts'
import { change, parts } from '../../support/model/random-changes.ts'
import { table } from '../../support/model/random-table.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

it('counts the rows that a fork has of its own, and none after it went back', async () => {
  const items = Array.from({ length: 1000 }, (_, at) => ({ id: at + 1, group: at % 50 }))
  const fork = new Engine({ items, single: { deep: { n: 1 } } }, NAMING).fork(1)
  const own = new OwnBytes(fork.database)
  const bytes = () => own.of(fork.database)
  expect(bytes()).toBe(0)
  const text = 'x'.repeat(10_000)
  await fork.write({ kind: 'insert', collection: 'items', rows: [{ text }] })
  await fork.write({ kind: 'merge', collection: 'items', id: '1', fields: { text } })
  await fork.write({ kind: 'merge-object', name: 'single', fields: { text } })
  expect(bytes()).toBeGreaterThan(30_000)
  expect(bytes()).toBeLessThan(32_000)
  await fork.write({ kind: 'remove', collection: 'items', id: '1001' })
  await fork.write({ kind: 'merge', collection: 'items', id: '1', fields: { text: '' } })
  expect(bytes()).toBeLessThan(12_000)
  await fork.write({ kind: 'replace-database', data: { items: [{ id: 1, text }], others: [] } })
  expect(bytes()).toBeGreaterThan(10_000)
  await fork.reset()
  expect(bytes()).toBe(0)
})

it('counts megabytes while others have their turn, with what comes meanwhile', async () => {
  const fork = new Engine({ items: [] }, NAMING).fork(1)
  const own = new OwnBytes(fork.database)
  const rows = Array.from({ length: 2000 }, () => ({ text: 'x'.repeat(1000) }))
  await fork.write({ kind: 'insert', collection: 'items', rows })
  let time = 0
  vi.spyOn(Date, 'now').mockImplementation(() => (time += 10))
  onTestFinished(() => void vi.restoreAllMocks())
  expect(own.of(fork.database)).toBeLessThan(1_100_000)
  await fork.write({ kind: 'insert', collection: 'items', rows })
  own.of(fork.database)
  await own.counting
  expect(own.of(fork.database)).toBeGreaterThan(4_000_000)
  expect(own.counting).toBeUndefined()
  await fork.reset()
  own.of(fork.database)
  await own.counting
  expect(own.of(fork.database)).toBe(0)
})

it('counts the same, however often it was asked in between', async () => {
  const steps = fc.array(fc.tuple(change, fc.boolean()), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(table, steps, async (items, changes) => {
      const engine = new Engine({ items, parts, profile: { name: 'a' } }, NAMING)
      const start = engine.database
      const own = new OwnBytes(start)
      for (const [each, isAsked] of changes) {
        await engine.write(each).catch(() => {})
        if (isAsked) own.of(engine.database)
      }
      const whole = new OwnBytes(start)
      for (const one of [own, whole]) {
        one.of(engine.database)
        await one.counting
      }
      expect(own.of(engine.database)).toBe(whole.of(engine.database))
      own.of(start)
      await own.counting
      expect(own.of(start)).toBe(0)
    }),
    runs(20),
  )
})
