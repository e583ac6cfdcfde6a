import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { chainDbOf } from '../../../src/compat/chain-db.ts'
import { Database } from '../../../src/core/engine/data/database.ts'
import type { Engine } from '../../../src/core/engine/engine.ts'
import { readRows } from '../../../src/core/engine/read-rows.ts'
import type { Data, Row } from '../../../src/core/engine/types.ts'
import { FileStore } from '../../../src/stores/file/file-store.ts'
import { liveDataOf, openLive } from '../../../src/stores/live/live-data.ts'
import { Desk } from '../../support/engine/desk.ts'
import { pauseOften } from '../../support/engine/pause-often.ts'
import { runs, SEED } from '../../support/length.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

const OWNERS_ACTS = [
  ...['push', 'unshift', 'reverse', 'edit', 'copy a row', 'copy the list', 'copy all'],
  ...['freeze a row', 'freeze the list', 'refuse views', 'pin', 'pin and take out', 'put the list anew'],
  ...['insert by router.db'],
] as const
const STEPS = ['insert', 'insert', 'patch', 'remove', 'object', 'read', 'save', 'owner', 'wait'] as const
/** After these, rows that were acknowledged may be gone. */
const BACKWARD = ['undo', 'redo', 'reset'] as const

/** Such ids stay in the list, so that none is made twice. */
const HIGHEST = 50

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
  onWrite = () => {}
  readonly #choose: Choose

  constructor(data: Data, choose: Choose) {
    super(data)
    this.#choose = choose
  }

  override async write(database: Database): Promise<void> {
    if (this.#choose(2) === 0) await new Promise(setImmediate)
    if (this.#choose(2) === 0) this.onWrite()
    this.refuses = this.#choose(10) === 0
    await super.write(database)
  }
}

/** These read the file: what the owner has not saved is gone after a reload. */
const OF_FILE = ['reload', 'edit'] as const
/** Another server has the same object. */
const OF_OTHERS = ['insert elsewhere', 'patch elsewhere'] as const

type Step =
  | (typeof STEPS)[number]
  | (typeof BACKWARD)[number]
  | (typeof OF_FILE)[number]
  | (typeof OF_OTHERS)[number]

it.each<[string, readonly Step[]]>([
  ['has what was acknowledged and what its owner did', STEPS],
  ['has each row once, though changes are taken back,', [...STEPS, ...BACKWARD]],
  ['has what was acknowledged, though its file is read or edited,', [...STEPS, ...OF_FILE]],
  ['has each id once, though another server has it, too,', [...STEPS, ...OF_OTHERS]],
])('an object %s as its engine has, whatever the owner does in any pause', async (_, possible) => {
  onTestFinished(() => void vi.restoreAllMocks())
  const steps = fc.array(fc.constantFrom(...possible), { maxLength: 12, size: 'max' })
  await fc.assert(fc.asyncProperty(fc.nat(), steps, act), { seed: SEED, ...runs(200, 3000) })
})

async function act(seed: number, steps: readonly Step[]): Promise<void> {
  const choose = chooser(seed)
  const data = {
    posts: [1, 2, 3, 4, 5, 6, HIGHEST].map((id) => ({ id, title: 'a', views: 'a' })),
    profile: {},
    pinned: [],
  }
  const desk = new FickleDesk(data, choose)
  const engine = openLive({ data }, { ...NAMING, store: new FileStore(desk, Database.of({})) })
  const other = openLive({ data }, NAMING)
  const hasOther = steps.some((step) => OF_OTHERS.some((one) => one === step))
  const live = liveDataOf(engine)
  const [kept, unsaved] = [new Set<unknown>(), new Set<unknown>()]
  const [titles, notes] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()]
  let last = 100
  /** That of the owner, who replaces one that is frozen. */
  const listOf = (name: string): Row[] => {
    if (!Object.isExtensible(live.data[name])) live.data[name] = [...(live.data[name] as Row[])]
    return live.data[name] as Row[]
  }
  let acts = 0
  const own = () => {
    acts += 1
    const list = listOf('posts')
    const at = choose(list.length)
    const copy = (): Row => ({ ...list[at] })
    const row = list[at]
    const add = (method: 'push' | 'unshift') => {
      list[method]({ id: -++last })
      unsaved.add(-last)
    }
    const edit = () => {
      const edited = row && Object.isExtensible(row) ? row : copy()
      list[at] = Object.assign(edited, { note: ++last })
      notes.set(edited.id, last)
    }
    const refuse = () => {
      const views = row?.views
      const set = () => {
        throw new Error('no')
      }
      Reflect.defineProperty(Object(row), 'views', {
        get: () => views,
        set,
        enumerable: true,
        configurable: true,
      })
    }
    const possible: Record<(typeof OWNERS_ACTS)[number], () => unknown> = {
      push: () => add('push'),
      unshift: () => add('unshift'),
      reverse: () => list.reverse(),
      edit: () => row && edit(),
      'copy a row': () => row && list.splice(at, 1, copy()),
      'copy the list': () => Object.assign(live.data, { posts: structuredClone(list) }),
      'copy all': () => hasOther || live.setState(structuredClone(live.data)),
      'freeze a row': () => Object.freeze(row),
      'freeze the list': () => Object.freeze(list),
      'refuse views': refuse,
      pin: () => row && listOf('pinned').push(row),
      'pin and take out': () => Number(row?.id) < HIGHEST && listOf('pinned').push(...list.splice(at, 1)),
      'insert by router.db': () => {
        // A change is made again if its owner acts, but not forever.
        if (!hasOther || acts > 7) return
        const db = chainDbOf(choose(2) === 0 ? engine : other)
        unsaved.add(db.get('posts').insert({ isOwn: true }).value().id)
      },
      'put the list anew': () => delete live.data.posts && Object.assign(live.data, { posts: list }),
    }
    possible[OWNERS_ACTS[choose(OWNERS_ACTS.length)] ?? 'push']()
  }
  desk.onWrite = own
  pauseOften(
    () => choose(3) === 0,
    async () => {
      if (choose(5) === 0) own()
      await new Promise(setImmediate)
    },
  )
  const insert = async (at: Engine) => {
    const rows = await at.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    for (const row of rows ?? []) kept.add(row.id)
  }
  const id = () => String(1 + choose(6))
  const patch = async (at: Engine) => {
    const [row, title] = [id(), ++last]
    await at.write({ kind: 'merge', collection: 'posts', id: row, fields: { views: title, title } })
    titles.set(Number(row), title)
  }
  const requests: Record<Step, () => unknown> = {
    insert: () => insert(engine),
    patch: () => patch(engine),
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
      desk.edit({ ...others, posts: [{ id: -++last }, ...(posts as Row[])] })
      return engine.refresh()
    },
    'insert elsewhere': () => insert(other),
    'patch elsewhere': () => patch(other),
  }
  const responses: unknown[] = []
  for (const step of steps) {
    responses.push(Promise.resolve(requests[step]()).catch(() => {}))
    if (step === 'wait') await new Promise(setImmediate)
  }
  await Promise.all(responses)
  vi.restoreAllMocks()
  for (const each of hasOther ? [engine, other] : [engine]) {
    await readRows(each, 'posts')
    expect(sorted(each.database.toData())).toEqual(sorted(live.data))
  }
  const rows = live.data.posts as Row[]
  const ids = rows.map((row) => row.id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { title, views = title } of rows) expect(views).toBe(title)
  if (steps.some((step) => BACKWARD.some((one) => one === step))) return
  const all = [...ids, ...(live.data.pinned as Row[]).map((row) => row.id)]
  expect([...kept, ...unsaved].filter((one) => !all.includes(one))).toEqual([])
  for (const row of rows) {
    if (titles.has(row.id)) expect(row.title).toBe(titles.get(row.id))
    if (!steps.includes('reload')) expect(row.note).toBe(notes.get(row.id))
  }
}

function sorted(data: Data): unknown {
  return Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
