import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { BindMounts } from '../../support/faults/bind-mounts.ts'
import { Ledger } from '../../support/faults/ledger.ts'
import { Random } from '../../support/faults/random.ts'
import { Storm } from '../../support/faults/storm.ts'
import { asLong } from '../../support/length.ts'

const POSTS = 120
const ROUNDS = asLong(3, 60)
/** Rows of many lengths: half new and half old, the file would sometimes still be valid JSON. */
const FILLER = Array.from({ length: 3000 }, (_, n) => ({ id: n + 1, text: `row ${n} `.repeat(8 + (n % 40)) }))

// Skipped where mounting is not permitted; only root may do it.
describe.runIf(BindMounts.isPossible())('a data file that is mounted', () => {
  let mounts: BindMounts
  let homes: readonly string[]

  const mount = (data: object, add: (mounts: BindMounts) => void) => {
    mkdirSync(join(mounts.folder, 'origin'))
    mkdirSync(locks())
    writeFileSync(join(mounts.folder, 'origin', 'db.json'), JSON.stringify(data))
    add(mounts)
    homes = ['one', 'two'].map((name) => join(mounts.folder, name))
  }
  const eachFile = (on: BindMounts) => {
    for (const name of ['one', 'two']) on.addFile(join('origin', 'db.json'), join(name, 'db.json'))
  }
  const eachFolder = (on: BindMounts) => {
    for (const name of ['one', 'two']) on.addFolder('origin', name)
  }
  const origin = () => saved(join(mounts.folder, 'origin'))
  /** Where servers keep the lock of a file itself. Others run meanwhile and have locks of their own. */
  const locks = () => join(mounts.folder, 'locks')
  const serve = (home: string) => serveHome(home, { env: { TMPDIR: locks() } })
  const serveBoth = () => Promise.all(homes.map(serve))

  beforeEach(() => {
    mounts = new BindMounts()
  })
  afterEach(() => mounts.remove())

  it('refuses to write into a file that was replaced where it is mounted from', async () => {
    mount({ items: [] }, eachFile)
    const [mounted] = await serveBoth()
    const outside = await serve(join(mounts.folder, 'origin'))
    expect((await outside.ask('POST', '/items', { key: 'outside' })).status).toBe(201)
    const refused = await mounted?.ask('POST', '/items', { key: 'lost' })
    expect([refused?.status, refused?.body]).toEqual([503, expect.stringContaining('Mount its folder')])
    expect(await origin()).toEqual({ items: [{ key: 'outside', id: 1 }] })
  })

  it.each([
    ['itself', eachFile],
    ['with its folder', eachFolder],
  ])(
    '%s into two folders: two servers lose nothing of each other and give out no id twice',
    {
      timeout: 60_000,
    },
    async (_name, add) => {
      mount({ items: [] }, add)
      const servers = await serveBoth()
      const posts = servers.flatMap((server, from) =>
        Array.from({ length: POSTS }, (_, n) => server.ask('POST', '/items', { key: `${from} ${n}` })),
      )
      const answers = await Promise.all(posts)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      const ids = answers.map(({ body }) => JSON.parse(body).id)
      expect(new Set(ids).size).toBe(2 * POSTS)
      const { items } = await origin()
      expect(new Set((items as { id: number }[]).map(({ id }) => id))).toEqual(new Set(ids))
      // And neither leaves a lock or a copy anywhere.
      await expect.poll(() => readdirSync(locks())).toEqual([])
      for (const home of homes) await expect.poll(() => readdirSync(home)).toEqual(['db.json'])
    },
  )

  it('into two folders, with a row per line: two servers that append to it give out no id twice', {
    timeout: 60_000,
  }, async () => {
    mount({}, (on) => {
      writeFileSync(join(on.folder, 'origin', 'items.ndjson'), '{"id":1}\n')
      for (const name of ['one', 'two'])
        on.addFile(join('origin', 'items.ndjson'), join(name, 'items.ndjson'))
    })
    const servers = await Promise.all(
      homes.map((home) => serveHome(home, { source: 'items.ndjson', env: { TMPDIR: locks() } })),
    )
    const ids: unknown[] = []
    const write = async (server: RealServer) => {
      for (let n = 0; n < POSTS / 2; n += 1) {
        ids.push(JSON.parse((await server.ask('POST', '/items', { key: n })).body).id)
      }
    }
    await Promise.all(servers.flatMap((server) => [write(server), write(server)]))
    expect(new Set(ids).size).toBe(2 * POSTS)
    const lines = readFileSync(join(mounts.folder, 'origin', 'items.ndjson'), 'utf8')
      .trim()
      .split('\n')
    expect(new Set(lines.map((line) => JSON.parse(line).id))).toEqual(new Set([1, ...ids]))
    await expect.poll(() => readdirSync(locks())).toEqual([])
  })

  it(`into two folders loses nothing it has confirmed, ${ROUNDS} times killed with -9 in a storm of writes`, {
    timeout: ROUNDS * 20_000,
  }, async () => {
    mount({ items: [], filler: FILLER }, eachFile)
    const ledger = new Ledger()
    const random = new Random(4)
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [victim, survivor] = await serveBoth()
      if (!victim || !survivor) throw new Error('There are two')
      ledger.check(await victim.served())
      const storms = [
        new Storm(victim, ledger, { seed: round, clients: 6 }),
        new Storm(survivor, ledger, { seed: 1000 + round, clients: 3 }),
      ]
      await storms[0]?.answered(3 + random.below(40))
      // Responses arrive when a save is done; the moment of the kill must not depend on that.
      await sleep(random.below(20))
      await victim.stop('SIGKILL')
      await storms[0]?.end()
      // The other one continues, and finds what the killed one was saving.
      await storms[1]?.answered((storms[1]?.answers.length ?? 0) + 5)
      await storms[1]?.end()
      expect(storms[1]?.answers.filter(({ status }) => status >= 400)).toEqual([])
      await survivor.stop(round % 2 ? 'SIGTERM' : 'SIGKILL')
      const data = await origin()
      expect(data.filler).toEqual(FILLER)
      ledger.check(data)
    }
    expect(ledger.confirmations).toBeGreaterThan(ROUNDS * 5)
  })

  it(`is JSON, or made whole by the next start, ${ROUNDS} times killed with -9 while alone`, {
    timeout: ROUNDS * 20_000,
  }, async () => {
    mount({ items: [], filler: FILLER }, eachFile)
    const ledger = new Ledger()
    const random = new Random(5)
    let broken = 0
    let server: RealServer
    for (let round = 1; round <= ROUNDS; round += 1) {
      server = await serve(homes[0] ?? '')
      const served = await server.served()
      expect(served.filler).toEqual(FILLER)
      ledger.check(served)
      expect((await server.ask('PATCH', '/filler/1', {})).status).toBe(200)
      expect((await origin()).filler).toEqual(FILLER)
      const storm = new Storm(server, ledger, { seed: round, clients: 6 })
      await storm.answered(3 + random.below(40))
      await sleep(random.below(20))
      await server.stop('SIGKILL')
      await storm.end()
      const text = readFileSync(join(mounts.folder, 'origin', 'db.json'), 'utf8')
      expect(text.length).toBeGreaterThan(JSON.stringify(FILLER).length)
      if (!isJson(text)) broken += 1
    }
    // Only the one call that writes the contents can be interrupted, a small part of a save.
    expect(broken).toBeLessThanOrEqual(Math.max(2, ROUNDS / 3))
  })
})

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
