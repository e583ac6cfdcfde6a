import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'

const MB = 1024 * 1024
const SIZE = 100_000

function open(): Engine {
  const items = Array.from({ length: SIZE }, (_, at) => ({ id: at + 1, group: at % 50, name: `item ${at}` }))
  return new Engine({ items }, { id: 'id', foreignKeySuffix: 'Id' })
}

/** What is in use, in bytes, once all garbage is gone. */
async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  // What was waited for is let go of in the next turn.
  await turn()
  gc()
  gc()
  return process.memoryUsage().heapUsed
}

describe('a fork of 100,000 rows', () => {
  it('opens in less than a millisecond', () => {
    const base = open()
    const forks: Engine[] = []
    const start = process.cpuUsage()
    for (let count = 0; count < 1000; count++) forks.push(base.fork(count))
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000 / forks.length).toBeLessThan(1)
    expect(forks.at(-1)?.database).toBe(base.database)
  })

  it('costs what it changes: a hundred with ten rows each take less than 10 MB', async () => {
    const base = open()
    // Its index of ids, which a fork shares as well.
    await base.read({ kind: 'item', collection: 'items', id: '1' })
    const before = await heapUsed()
    const forks: Engine[] = []
    for (let count = 0; count < 100; count++) {
      const fork = base.fork(count)
      for (let row = 0; row < 10; row++) {
        const id = String(((count * 1009 + row * 9973) % SIZE) + 1)
        await fork.write({ kind: 'merge', collection: 'items', id, fields: { name: `fork ${count}` } })
      }
      forks.push(fork)
    }
    expect((await heapUsed()) - before).toBeLessThan(10 * MB)
    for (const [count, fork] of forks.entries()) {
      const { found } = await fork.read({
        kind: 'item',
        collection: 'items',
        id: String(((count * 1009) % SIZE) + 1),
      })
      expect(found?.name).toBe(`fork ${count}`)
    }
  })
})
