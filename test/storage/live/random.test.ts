import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/storage/data/database.ts'
import { readRows } from '../../../src/storage/engine/read-rows.ts'
import { FileStore } from '../../../src/storage/file/file-store.ts'
import { liveDataOf, openLive } from '../../../src/storage/live/live-data.ts'
import type { Data, Row } from '../../../src/storage/types.ts'
import { Pace } from '../../../src/util/pace.ts'
import { Desk } from '../../support/engine/desk.ts'
import { runs, SEED } from '../../support/length.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

const OWNERS_ACTS = ['push', 'unshift', 'reverse', 'edit', 'copy a row', 'copy the list', 'copy all'] as const
const STEPS = ['insert', 'insert', 'patch', 'remove', 'object', 'read', 'save', 'owner', 'wait'] as const
/** After these, rows that were acknowledged may be gone. */
const BACKWARD = ['undo', 'redo', 'reset'] as const

/** A number below `most` each time, the same for the same seed. */
type Choose = (most: number) => number

function chooser(seed: number): Choose {
  let state = seed
  return (most) => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return Math.floor((state / 4294967296) * most)
  }
}

/** Refuses a save now and then, and takes its time. */
class FickleDesk extends Desk {
  readonly #choose: Choose

  constructor(data: Data, choose: Choose) {
    super(data)
    this.#choose = choose
  }

  override async write(database: Database): Promise<void> {
    if (this.#choose(2) === 0) await new Promise(setImmediate)
    this.refuses = this.#choose(10) === 0
    await super.write(database)
  }
}

/** These read the file: what the owner has not saved is gone after a reload. */
const OF_FILE = ['reload', 'edit'] as const

type Step = (typeof STEPS)[number] | (typeof BACKWARD)[number] | (typeof OF_FILE)[number]

it.each<[string, readonly Step[]]>([
  ['has what was acknowledged and what its owner did', STEPS],
  ['has each row once, though changes are taken back,', [...STEPS, ...BACKWARD]],
  ['has what was acknowledged, though its file is read or edited,', [...STEPS, ...OF_FILE]],
])('an object %s as its engine has, whatever the owner does in any pause', async (_, possible) => {
  onTestFinished(() => void vi.restoreAllMocks())
  const steps = fc.array(fc.constantFrom(...possible), { maxLength: 12 })
  await fc.assert(fc.asyncProperty(fc.nat(), steps, act), { seed: SEED, ...runs(150) })
})

async function act(seed: number, steps: readonly Step[]): Promise<void> {
  const choose = chooser(seed)
  const data = { posts: Array.from({ length: 6 }, (_, at) => ({ id: at + 1, title: 'a' })), profile: {} }
  const desk = new FickleDesk(data, choose)
  const engine = openLive({ data }, { ...NAMING, store: new FileStore(desk, Database.of({})) })
  const live = liveDataOf(engine)
  const [kept, unsaved] = [new Set<unknown>(), new Set<unknown>()]
  const [titles, notes] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()]
  let last = 100
  const own = () => {
    const list = live.data.posts as Row[]
    const at = choose(list.length)
    const copy = (): Row => ({ ...list[at] })
    const acts: Record<(typeof OWNERS_ACTS)[number], () => unknown> = {
      push: () => list.push({ id: ++last }) && unsaved.add(last),
      unshift: () => list.unshift({ id: ++last }) && unsaved.add(last),
      reverse: () => list.reverse(),
      edit: () => Object.assign(list[at] ?? {}, { note: ++last }) && notes.set(list[at]?.id, last),
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
  const patch = async () => {
    const [row, title] = [id(), ++last]
    await engine.write({ kind: 'merge', collection: 'posts', id: row, fields: { title } })
    titles.set(Number(row), title)
  }
  const requests: Record<Step, () => unknown> = {
    insert,
    patch,
    remove: () => engine.write({ kind: 'remove', collection: 'posts', id: id() }),
    object: () => engine.write({ kind: 'merge-object', name: 'profile', fields: { n: ++last } }),
    read: () => readRows(engine, 'posts'),
    save: () => live.save(),
    owner: own,
    wait: () => {},
    undo: () => engine.write({ kind: 'move', direction: 'undo' }),
    redo: () => engine.write({ kind: 'move', direction: 'redo' }),
    reset: () => engine.reset(),
    reload: () => {
      live.reload()
      unsaved.clear()
    },
    edit: () => {
      const { posts, ...others } = desk.readSync()
      desk.edit({ ...others, posts: [{ id: ++last }, ...(posts as Row[])] })
      return engine.refresh()
    },
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
  const rows = live.data.posts as Row[]
  const ids = rows.map((row) => row.id)
  expect(new Set(ids).size).toBe(ids.length)
  if (steps.some((step) => BACKWARD.some((one) => one === step))) return
  expect([...kept, ...unsaved].filter((one) => !ids.includes(one))).toEqual([])
  for (const row of rows) {
    if (titles.has(row.id)) expect(row.title).toBe(titles.get(row.id))
    if (!steps.includes('reload')) expect(row.note).toBe(notes.get(row.id))
  }
}

function sorted(data: Data): unknown {
  return Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
