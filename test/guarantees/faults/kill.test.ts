import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { Ledger } from '../../support/faults/ledger.ts'
import { Random } from '../../support/faults/random.ts'
import { Storm } from '../../support/faults/storm.ts'
import { folderOf } from '../../support/folder.ts'
import { asLong } from '../../support/length.ts'

const ROUNDS = asLong(4, 60)
/** Enough that a save takes a while, so that kills hit it halfway. */
const fillerOf = (times: number) =>
  Array.from({ length: 3000 }, (_, n) => ({ id: n + 1, text: `row ${n} `.repeat(times) }))

it.each([
  ['', fillerOf(8)],
  [', of a large file', fillerOf(200)],
])(
  `loses nothing it has confirmed, ${ROUNDS} times killed with -9 in a storm of writes%s`,
  {
    timeout: ROUNDS * 20_000,
  },
  async (_name, filler) => {
    const home = folderOf({ 'db.json': { items: [], filler } })
    const ledger = new Ledger()
    const random = new Random(20_260)
    for (let round = 1; round <= ROUNDS; round += 1) {
      const server = await serveHome(home)
      ledger.check(await server.served())
      await leavesNoRubbish(home, server, ledger)

      const storm = new Storm(server, ledger, { seed: round, clients: 12 })
      await storm.answered(5 + random.below(150))
      // Responses arrive when a save is done; the moment of the kill must not depend on that.
      await sleep(random.below(20))
      expect(await server.stop('SIGKILL')).toBeNull()
      await storm.end()

      const data = await saved(home)
      expect(data.filler).toEqual(filler)
      ledger.check(data)
    }
    expect(ledger.confirmations).toBeGreaterThan(ROUNDS * 5)
  },
)

/** The first save of a new process cleans up after the killed one: temp files and its lock. */
async function leavesNoRubbish(home: string, server: RealServer, ledger: Ledger): Promise<void> {
  const key = `first of ${server.process.child.pid}`
  ledger.ask({ [key]: { key } })
  expect((await server.ask('POST', '/items', { key })).status).toBe(201)
  ledger.confirm(key)
  // The response may arrive a moment before the lock is released.
  await expect.poll(() => readdir(home)).toEqual(['db.json'])
}
