import { describe, expect, it, onTestFinished } from 'vitest'
import { readRows } from '../../src/core/engine/read-rows.ts'
import type { Row } from '../../src/core/engine/types.ts'
import { create, router } from '../../src/index.ts'
import { liveDataOf } from '../../src/stores/live/live-data.ts'
import { asking } from '../support/http/asking.ts'
import { serve } from '../support/http/serve.ts'
import { hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'
import { filledAddress, openEngine } from '../support/postgres/fill.ts'

describe.skipIf(!hasPostgres)(
  `data in a database that a program changes${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    it('is what others wrote, and is saved as a whole', async () => {
      const address = await filledAddress({ posts: [{ id: 1 }, { id: 2 }, { id: 3 }], about: { a: 1 } })
      const { ask } = await serve({ source: address, quiet: true })
      const { engine } = await openEngine(address)
      onTestFinished(() => engine.close())
      const own = router(engine)
      const server = create().use(own).listen(0)
      onTestFinished(() => void server.close())
      const bound = server.address()
      const askOwn = asking(`http://localhost:${typeof bound === 'object' ? bound?.port : ''}`)
      await ask('DELETE', '/posts/1')
      const posts = () => Object(own.db.getState()).posts
      expect((await askOwn('GET', '/posts')).body).toEqual([{ id: 2 }, { id: 3 }])
      expect(posts()).toEqual([{ id: 2 }, { id: 3 }])
      // Not saved, and nevertheless served here.
      posts().unshift({ id: 9 })
      expect((await askOwn('GET', '/posts')).body).toEqual([{ id: 9 }, { id: 2 }, { id: 3 }])
      expect((await ask('GET', '/posts')).body).toEqual([{ id: 2 }, { id: 3 }])
      // The next change saves it.
      expect((await askOwn('PATCH', '/posts/3', { a: 1 })).status).toBe(200)
      const all = [{ id: 9 }, { id: 2 }, { id: 3, a: 1 }]
      expect((await ask('GET', '/posts')).body).toEqual(all)
      await ask('POST', '/posts', {})
      expect((await askOwn('GET', '/posts')).body).toEqual([...all, { id: 10 }])
      posts().pop()
      await own.db.write()
      expect((await ask('GET', '/posts')).body).toEqual(all)
      const { engine: later } = await openEngine(address)
      onTestFinished(() => later.close())
      expect(later.database.toData()).toEqual({ posts: all, about: { a: 1 } })
    })

    it('is what a program sets it to, for each read and for the next save', async () => {
      const address = await filledAddress({ posts: [{ id: 1 }] })
      const { engine } = await openEngine(address)
      onTestFinished(() => engine.close())
      const live = liveDataOf(engine)
      await readRows(engine, 'posts')
      const data = { posts: [{ id: 1 }, { id: 2 }] }
      live.setState(data)
      for (const _ of [1, 2, 3]) expect(await readRows(engine, 'posts')).toEqual(data.posts)
      await live.save()
      const { engine: later } = await openEngine(address)
      onTestFinished(() => later.close())
      expect(later.database.toData()).toEqual(data)
    })

    it('has what its owner added and what another server wrote in the same moment, saved or not', async () => {
      const address = await filledAddress({ posts: [{ id: 0 }] })
      const other = await serve({ source: address, quiet: true })
      const ask = asking(other.url)
      const { engine } = await openEngine(address)
      onTestFinished(() => engine.close())
      const live = liveDataOf(engine)
      const ids = () => (live.data.posts as Row[]).map(({ id }) => id)
      for (let round = 1; round <= 60; round++) {
        const added = [`own ${round}`, `other ${round}`]
        const asked = ask('POST', '/posts', { id: added[1] })
        for (let turn = 0; turn < round % 12; turn++) await new Promise(setImmediate)
        ;(live.data.posts as Row[]).push({ id: added[0] })
        await (round % 3 === 0 ? readRows(engine, 'posts') : live.save())
        expect((await asked).status).toBe(201)
        await readRows(engine, 'posts')
        expect(ids(), `in round ${round}`).toEqual(expect.arrayContaining(added))
      }
      await live.save()
      const stored = (await ask('GET', '/posts')).body as Row[]
      expect(stored.map(({ id }) => id).toSorted()).toEqual(ids().toSorted())
      expect(new Set(ids()).size).toBe(121)
    })

    it('has a collection that rules alone name as soon as it has a row, everywhere', async () => {
      const source = await filledAddress({ posts: [] })
      const resources = { notes: { unique: ['text'] } }
      const asks = []
      for (const _ of [1, 2]) {
        const { url } = await serve({ source, resources, quiet: true })
        asks.push(asking(url))
      }
      const [a, b] = asks
      const added = await a?.('POST', '/notes', { text: 'x' })
      expect(await b?.('GET', '/notes')).toMatchObject({ status: added?.status === 201 ? 200 : 404 })
      expect(await b?.('POST', '/posts', {})).toMatchObject({ status: 201 })
    })
  },
)
