import { describe, expect, it } from 'vitest'
import { changeSeenBy, missedChanges, tellChanges } from '../../../src/app/history/tell-changes.ts'
import { StorageError } from '../../../src/errors.ts'
import { type ChangeEvent, Feed } from '../../../src/feed.ts'
import type { ReadOptions } from '../../../src/storage/engine.ts'
import { History } from '../../../src/storage/history/history.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from '../../../src/storage/question.ts'
import type { Right, View } from '../../../src/storage/view.ts'
import { RemoteEngine } from '../../support/engine/remote-engine.ts'

/** Tells what is committed, and cannot be read now and then. */
class UnreadableEngine extends RemoteEngine {
  isAway = false
  /** Called while rows are counted. */
  meanwhile = async () => {}

  override async read<K extends QuestionKind>(
    question: Question<K>,
    options?: ReadOptions,
  ): Promise<Reading<FoundByKind[K]>> {
    if (this.isAway) throw new StorageError('SOURCE_UNAVAILABLE', 'The database cannot be reached.')
    await this.meanwhile()
    return super.read(question, options)
  }
}

function open({ isTold = true } = {}) {
  const data = { posts: [{ id: 1, userId: 1 }] }
  const engine = new UnreadableEngine(new LocalEngine(data, { id: 'id', foreignKeySuffix: 'Id' }))
  const history = new History(engine, { now: () => 7 })
  const feed = new Feed()
  const heard: ChangeEvent[] = []
  feed.listen({ hear: (event) => event.type === 'change' && heard.push(event), end() {} })
  const served = { engine, history, reset: async () => {} }
  if (isTold) tellChanges(served, feed)
  const write = () => engine.write({ kind: 'insert', collection: 'posts', rows: [{ userId: 1 }] })
  return { engine, served, heard, write }
}

const resourcesOf = (events: readonly ChangeEvent[] | undefined) =>
  events?.map(({ version, data }) => [version, data.resources])

describe('a change whose rows cannot be counted', () => {
  it('is told without a count, in its turn', async () => {
    const { engine, heard, write } = open()
    for (const [at, isAway] of [false, true, false].entries()) {
      engine.isAway = isAway
      await write()
      await expect.poll(() => heard).toHaveLength(at + 1)
    }
    expect(resourcesOf(heard)).toEqual([
      [8, [{ name: 'posts', count: 2 }]],
      [9, [{ name: 'posts' }]],
      [10, [{ name: 'posts', count: 4 }]],
    ])
  })

  it('is told without a count to those who missed it', async () => {
    const { engine, served, write } = open()
    await write()
    engine.isAway = true
    const { events, version } = await missedChanges(served, 7)
    expect([resourcesOf(events), version]).toEqual([[[8, [{ name: 'posts' }]]], 8])
  })

  it.each<[string, writes: number, counts: object[]]>([
    ['with the count of then, where others write meanwhile', 3, [{ count: 2 }, { count: 3 }]],
    ['without a count, where others never stop writing', Number.POSITIVE_INFINITY, [{}, {}]],
  ])('is told to those who missed it %s', async (_, writes, counts) => {
    const { engine, served, write } = open({ isTold: false })
    await write()
    await write()
    let written = 0
    engine.meanwhile = async () => {
      if (written++ < writes) await write()
    }
    const { events, version } = await missedChanges(served, 7)
    expect(events?.slice(0, 2).map(({ data }) => data.resources)).toEqual(
      counts.map((count) => [{ name: 'posts', ...count }]),
    )
    expect(events?.at(-1)?.version).toBe(version)
  })

  it('is told without any count to those who see rows of their own only', async () => {
    const { engine, served, heard, write } = open()
    await write()
    await expect.poll(() => heard).toHaveLength(1)
    const own: Right = { reach: 'own', rule: 'owner', needsLogin: false }
    const rights = { read: own, create: own, update: own, delete: own, owner: 'userId', fixed: [] }
    const view: View = { key: 'a', user: '1', isAdmin: false, resources: {}, others: rights }
    const [event] = heard
    if (!event) throw new Error('Nothing was heard.')
    engine.isAway = true
    expect((await changeSeenBy(served, event, view))?.data.resources).toEqual([{ name: 'posts' }])
    engine.isAway = false
    expect((await changeSeenBy(served, event, view))?.data.resources).toEqual([{ name: 'posts', count: 2 }])
  })
})
