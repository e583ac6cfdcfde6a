import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MemoryStore, type Store } from '../../../src/storage/data/store.ts'
import { readRows } from '../../../src/storage/engine/read-rows.ts'
import { liveDataOf, openLive } from '../../../src/storage/live/live-data.ts'
import type { Data, Row } from '../../../src/storage/types.ts'
import { Pace } from '../../../src/util/pace.ts'
import { runs, SEED } from '../../support/length.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

const OWNERS_ACTS = ['push', 'unshift', 'reverse', 'edit', 'copy a row', 'copy the list', 'copy all'] as const
const STEPS = ['insert', 'insert', 'patch', 'remove', 'object', 'read', 'save', 'owner', 'wait'] as const

/** A number below `most` each time, the same for the same seed. */
type Choose = (most: number) => number

function chooser(seed: number): Choose {
  let state = seed
  return (most) => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return Math.floor((state / 4294967296) * most)
  }
}

/** Refuses a commit now and then, and takes its time. */
class FickleStore extends MemoryStore implements Store {
  readonly #choose: Choose

  constructor(choose: Choose) {
    super()
    this.#choose = choose
  }

  override async commit(change: Parameters<Store['commit']>[0]): Promise<void> {
    await change(undefined)
    if (this.#choose(2) === 0) await new Promise(setImmediate)
    if (this.#choose(10) === 0) throw new Error('refused')
  }
}

it('an object and its engine agree, and have what was acknowledged, whatever the owner does in any pause', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const property = fc.asyncProperty(fc.nat(), fc.array(fc.constantFrom(...STEPS), { maxLength: 12 }), act)
  await fc.assert(property, { seed: SEED, ...runs(150) })
})

async function act(seed: number, steps: readonly (typeof STEPS)[number][]): Promise<void> {
  const choose = chooser(seed)
  const posts = Array.from({ length: 6 }, (_, at) => ({ id: at + 1, title: 'a' }))
  const engine = openLive({ data: { posts, profile: {} } }, { ...NAMING, store: new FickleStore(choose) })
  const live = liveDataOf(engine)
  const kept = new Set<unknown>()
  let last = 100
  const own = () => {
    const list = live.data.posts as Row[]
    const at = choose(list.length)
    const copy = (): Row => ({ ...list[at] })
    const acts: Record<(typeof OWNERS_ACTS)[number], () => unknown> = {
      push: () => list.push({ id: ++last }) && kept.add(last),
      unshift: () => list.unshift({ id: ++last }) && kept.add(last),
      reverse: () => list.reverse(),
      edit: () => Object.assign(list[at] ?? {}, { note: ++last }),
      'copy a row': () => list.length > 0 && list.splice(at, 1, copy()),
      'copy the list': () => Object.assign(live.data, { posts: structuredClone(list) }),
      'copy all': () => live.setState(structuredClone(live.data)),
    }
    acts[OWNERS_ACTS[choose(OWNERS_ACTS.length)] ?? 'push']()
  }
  vi.spyOn(Pace.prototype, 'isDue', 'get').mockImplementation(() => choose(3) === 0)
  vi.spyOn(Pace.prototype, 'turn').mockImplementation(async () => {
    if (choose(5) === 0) own()
    await new Promise(setImmediate)
  })
  const insert = async () => {
    const id = ++last
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{ id }] })
    kept.add(id)
  }
  const id = () => String(1 + choose(6))
  const requests: Record<(typeof STEPS)[number], () => unknown> = {
    insert,
    patch: () => engine.write({ kind: 'merge', collection: 'posts', id: id(), fields: { title: ++last } }),
    remove: () => engine.write({ kind: 'remove', collection: 'posts', id: id() }),
    object: () => engine.write({ kind: 'merge-object', name: 'profile', fields: { n: ++last } }),
    read: () => readRows(engine, 'posts'),
    save: () => live.save(),
    owner: own,
    wait: () => {},
  }
  const responses: unknown[] = []
  for (const step of steps) {
    responses.push(Promise.resolve(requests[step]()).catch(() => {}))
    if (step === 'wait') await new Promise(setImmediate)
  }
  await Promise.all(responses)
  vi.restoreAllMocks()
  await readRows(engine, 'posts')
  expect(sorted(engine.database.toData())).toEqual(sorted(live.data))
  const ids = (live.data.posts as Row[]).map((row) => row.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...kept].filter((one) => !ids.includes(one))).toEqual([])
}

function sorted(data: Data): unknown {
  return Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
