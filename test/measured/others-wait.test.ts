import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RealServer, serveHome } from '../support/child/real-server.ts'
import { folderOf } from '../support/folder.ts'
import { othersWait } from '../support/hostile/others-wait.ts'

/** Holds the server until it has computed for so many milliseconds, however often it lost its core meanwhile. */
const HOLD = `module.exports = (req, res, next) => {
  if (req.path !== '/hold') return next()
  const begun = process.cpuUsage()
  const isOver = ({ user, system }) => user + system >= 1_000_000
  while (!isOver(process.cpuUsage(begun)));
  res.end()
}`

let server: RealServer

beforeAll(async () => {
  const home = folderOf({ 'db.json': { others: [{ id: 1 }] }, 'hold.cjs': HOLD })
  server = await serveHome(home, { config: { middlewares: ['hold.cjs'] } })
})

const hold = () => server.ask('GET', '/hold')

describe('the longest wait of others', () => {
  it('is as long as the server is held', async () => {
    const wait = await othersWait(server, hold)
    expect(wait).toBeGreaterThan(500)
  })

  it('is short when nothing holds it', async () => {
    expect(await othersWait(server, () => server.ask('GET', '/others'))).toBeLessThan(500)
  })

  it.runIf(existsSync('/proc/self/schedstat'))('is not what a busy machine adds', async () => {
    // The server has about one turn in three.
    const busy = Array.from(
      { length: 2 * availableParallelism() },
      () => new Worker('for (;;);', { eval: true }),
    )
    try {
      let lasted = 0
      const wait = await othersWait(server, async () => {
        const begun = performance.now()
        await hold()
        lasted = performance.now() - begun
      })
      expect(wait).toBeGreaterThan(500)
      // Where it had a core to itself all the same, nothing was added.
      expect(wait).toBeLessThan(Math.max(lasted * 0.8, 1300))
    } finally {
      await Promise.all(busy.map((worker) => worker.terminate()))
    }
  })
})
