import { describe, expect, it } from 'vitest'
import { Baseline } from '../../../src/storage/history/baseline.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import type { Data } from '../../../src/storage/types.ts'
import { Desk } from '../../support/engine/desk.ts'
import { RemoteEngine } from '../../support/engine/remote-engine.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const data = (): Data => ({ posts: [{ id: 1, title: 'a' }], profile: { name: 'x' }, $schema: 's' })

function open(isOwned = true) {
  const given = data()
  const desk = new Desk(given)
  const engine = new LocalEngine(given, { ...NAMING, medium: desk, isOwned })
  return { given, desk, engine, baseline: new Baseline(engine) }
}

describe('the content to go back to', () => {
  it.each([
    ['of its own', true],
    ['that others hold too', false],
  ])('is that of the start, whatever was written since, with data %s', async (_, isOwned) => {
    const { engine, baseline } = open(isOwned)
    for (const _round of ['once', 'again']) {
      await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
      await engine.write({ kind: 'merge', collection: 'posts', id: '1', fields: { title: 'b' } })
      await engine.write({ kind: 'merge-object', name: 'profile', fields: { name: 'y' } })
      expect(await baseline.data()).toEqual(data())
      await engine.write({ kind: 'replace-database', data: await baseline.data() })
    }
  })

  it('is what somebody edited outside, from then on', async () => {
    const { engine, desk, baseline } = open()
    desk.saved = '{"posts":[{"id":7}]}'
    desk.isForeign = true
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(await baseline.data()).toEqual({ posts: [{ id: 7 }] })
    await engine.write({ kind: 'replace-database', data: { posts: [{ id: 8 }] } }, { isOutside: true })
    expect(await baseline.data()).toEqual({ posts: [{ id: 8 }] })
  })

  it('is not what was restored, or written through db', async () => {
    const { engine, baseline } = open()
    await engine.write({ kind: 'replace-database', data: { posts: [] } })
    engine.live.setState({ posts: [] })
    await engine.live.save()
    expect(await baseline.data()).toEqual(data())
  })

  it('does not see what others change in place', async () => {
    const { engine, baseline } = open()
    baseline.copyRows()
    Object.assign((engine.live.share().posts as object[])[0] ?? {}, { title: 'mine' })
    expect(await baseline.data()).toEqual(data())
    const live = open(false)
    Object.assign((live.given.posts as object[])[0] ?? {}, { title: 'mine' })
    expect(await live.baseline.data()).toEqual(data())
  })

  it('comes from an engine that answers later, too', async () => {
    const engine = new RemoteEngine(new LocalEngine(data(), { ...NAMING, isOwned: true }))
    const baseline = new Baseline(engine)
    await baseline.data()
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(await baseline.data()).toEqual(data())
  })
})
