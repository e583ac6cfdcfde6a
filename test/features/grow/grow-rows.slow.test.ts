import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { growData, start } from '../../../src/index.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { fileOf } from '../../support/folder.ts'
import { hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { filledAddress } from '../../support/postgres/fill.ts'

const DATA = {
  companies: Array.from({ length: 20 }, (_, at) => ({ id: at + 1, name: `Company ${at}` })),
  products: Array.from({ length: 100 }, (_, at) => ({
    id: at + 1,
    name: `${['Red', 'Blue', 'Green'][at % 3]} ${['desk', 'lamp', 'chair'][at % 4] ?? 'shelf'}`,
    price: ((at * 7919) % 1000) / 100,
    createdAt: `2026-01-${String(1 + (at % 28)).padStart(2, '0')}T10:00:00Z`,
    companyId: 1 + (at % 20),
  })),
}

it('adds 100,000 rows to a file in seconds', { timeout: 120_000 }, async () => {
  const source = fileOf(DATA)
  const before = cpuTime()
  await growData({ settings: { source }, counts: { products: 100_000 }, seed: 7 })
  const ms = cpuTime() - before
  expect(JSON.parse(await readFile(source, 'utf8')).products).toHaveLength(100_100)
  expect(ms).toBeLessThan(15_000)
})

it('lets others through while a server adds 100,000 rows', { timeout: 120_000 }, async () => {
  await using server = await start({ data: DATA, live: false })
  await server.grow({ products: 1 })
  const slices: number[] = []
  let last = cpuTime()
  // By CPU time: on a busy machine, others take turns.
  const timer = setInterval(() => {
    slices.push(cpuTime() - last)
    last = cpuTime()
  }, 1)
  await server.grow({ products: 99_000, companies: 1000 })
  clearInterval(timer)
  expect(slices.length).toBeGreaterThan(20)
  expect(Math.max(...slices)).toBeLessThan(500)
})

it.skipIf(!hasPostgres)(`adds rows to a database${hasPostgres ? '' : ` (${SKIPPED})`}`, async () => {
  const source = await filledAddress(DATA)
  expect(await growData({ settings: { source }, counts: { products: 50 }, seed: 7 })).toEqual({
    products: 50,
  })
  await using server = await start({ source })
  expect(server.count('products')).toBe(150)
})
