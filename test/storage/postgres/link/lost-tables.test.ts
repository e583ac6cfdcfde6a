import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Commit } from '../../../../src/storage/commit.ts'
import { Connections } from '../../../../src/storage/postgres/link/connections.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const patience = { timeout: 20_000, interval: 20 }
const away = { code: 'SOURCE_UNAVAILABLE', message: expect.stringContaining('lost the tables') }

describe.skipIf(!hasPostgres)(
  `a schema that is removed under a server${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    let source = ''
    const engines: PostgresEngine[] = []
    const open = async (title: string) => {
      const sample = () => ({ posts: [{ id: 1, title }] })
      const engine = await openPostgres(source, { ...naming, sample, patienceMs: 3000 })
      engines.push(engine)
      return engine
    }
    const remove = () => runIn(source, `DROP SCHEMA ${/schema=(\w+)/.exec(source)?.[1]} CASCADE`)
    const read = (engine: PostgresEngine) => engine.read({ kind: 'item', collection: 'posts', id: '1' })

    beforeEach(async () => {
      source = await freshAddress()
    })
    afterEach(async () => {
      for (const engine of engines.splice(0)) await engine.close()
    })

    it('is away, for reads, writes and the health check, and nothing kept is served', async () => {
      const engine = await open('old')
      const kept = await read(engine)
      expect(kept.isCurrent?.()).toBe(true)
      const cut = vi.spyOn(Connections.prototype, 'cut')
      await remove()
      await vi.waitFor(() => expect(kept.isCurrent?.()).toBe(false), patience)
      // It answers: that is not the silence of a network.
      expect(cut).not.toHaveBeenCalled()
      await expect(read(engine)).rejects.toMatchObject(away)
      await expect(engine.read({ kind: 'database' })).rejects.toMatchObject(away)
      await expect(engine.past.read()).rejects.toMatchObject(away)
      const added = engine.write({ kind: 'merge', collection: 'posts', id: '1', fields: {} })
      await expect(added).rejects.toMatchObject(away)
      await expect(engine.check()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    })

    it.each([
      ['while it was missed', true],
      ['before anybody missed it', false],
    ])('is served as it is when it is made again %s', async (_, isMissed) => {
      const engine = await open('old')
      const heard: Commit[] = []
      engine.subscribe((commit) => heard.push(commit))
      const kept = await read(engine)
      await remove()
      if (isMissed) await vi.waitFor(() => expect(kept.isCurrent?.()).toBe(false), patience)
      let isServedAgain = false
      const watch = setInterval(() => {
        isServedAgain ||= isMissed && kept.isCurrent?.() === true
      }, 5)
      onTestFinished(() => clearInterval(watch))
      await open('new')
      await vi.waitFor(() => expect(heard).toMatchObject([{ names: ['posts'], isOutside: true }]), patience)
      await vi.waitFor(() => engine.check(), patience)
      expect([kept.isCurrent?.(), isServedAgain]).toEqual([false, false])
      expect(await read(engine)).toMatchObject({ found: { title: 'new' } })
    })
  },
)
