import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RowChange } from '../../../src/storage/change.ts'
import type { Commit } from '../../../src/storage/commit.ts'
import { DraftObjects } from '../../../src/storage/draft/draft-objects.ts'
import { DraftIds } from '../../../src/storage/table/draft-ids.ts'
import { DraftOrder } from '../../../src/storage/table/draft-order.ts'
import { DraftPlaces } from '../../../src/storage/table/draft-places.ts'
import { FirstById } from '../../../src/storage/table/first-by-id.ts'
import { RowStates } from '../../../src/storage/table/row-states.ts'
import { Desk } from '../../support/engine/desk.ts'
import { LocalStore } from '../../support/engine/local-store.ts'
import { CHANGES } from '../contract/changes.ts'
import { DATA } from '../contract/data.ts'

/** Every step by which a change becomes a part of a draft, and its effects are worked out. */
const STEPS: readonly (readonly [object, readonly string[]])[] = [
  [RowStates.prototype, ['insert', 'replace', 'remove']],
  [DraftOrder.prototype, ['noteAddition', 'noteReplacement', 'noteRemovals', 'place']],
  [FirstById.prototype, ['noteAddition', 'notePlace', 'noteReplacement', 'noteRemovals']],
  [DraftIds.prototype, ['noteInsertion', 'noteRemoval']],
  [DraftPlaces.prototype, ['noteRemoval', 'before', 'after']],
  [DraftObjects.prototype, ['set', 'effects']],
]

/** Counts the steps, and lets one of them fail: before it is done, or right after. */
function watchSteps(failing: number, isDone: boolean): { readonly count: number } {
  const seen = { count: 0 }
  for (const [prototype, names] of STEPS) {
    for (const name of names) {
      const step: unknown = Reflect.get(prototype, name)
      if (typeof step !== 'function') throw new Error(`${name} is no step any more`)
      vi.spyOn(prototype as Record<string, () => unknown>, name).mockImplementation(function (
        this: unknown,
        ...args: unknown[]
      ) {
        seen.count++
        const isFailing = seen.count === failing
        if (isFailing && !isDone) throw new Error('a step failed')
        const result: unknown = Reflect.apply(step, this, args)
        if (isFailing) throw new Error('a step failed')
        return result
      })
    }
  }
  return seen
}

afterEach(() => {
  vi.restoreAllMocks()
})

function open(isOwned: boolean) {
  const data = structuredClone(DATA)
  const desk = new Desk(data)
  const store = new LocalStore(data, { id: 'id', foreignKeySuffix: 'Id', medium: desk, isOwned: true })
  if (!isOwned) store.live.share()
  const commits: Commit[] = []
  store.subscribe((commit) => commits.push(commit), { effects: true })
  return { store, desk, commits }
}

const first: RowChange = { kind: 'insert', collection: 'posts', rows: [{ id: 20 }], place: 1 }
const last: RowChange = { kind: 'insert', collection: 'posts', rows: [{}] }
const undo: RowChange = {
  kind: 'apply',
  effects: [
    {
      kind: 'rows',
      name: 'posts',
      removed: [{ row: DATA.posts[2] ?? {}, place: 2 }],
      added: [
        { row: { id: 30 }, place: 0 },
        { row: { id: 31 }, place: 2 },
      ],
      replaced: [{ before: DATA.posts[1] ?? {}, after: { id: 2 } }],
    },
    { kind: 'object', name: 'profile', before: DATA.profile, after: {} },
  ],
}

describe.each([
  ['its own', true],
  ['that others hold too', false],
])('a change of data %s that fails at any step', (_, isOwned) => {
  const cases: (readonly [string, RowChange])[] = [
    ...CHANGES.map(([name, change]) => [name, change] as const),
    ['applies effects', undo],
  ]
  it.each(cases)(
    'leaves nothing, neither in memory nor in the file nor for its neighbours: %s',
    async (__, change) => {
      const run = async (changes: readonly RowChange[], failing: number, isDone = false) => {
        const opened = open(isOwned)
        const seen = watchSteps(failing, isDone)
        const answers = await Promise.allSettled(changes.map((each) => opened.store.write(each)))
        vi.restoreAllMocks()
        return { ...opened, answers, count: seen.count }
      }
      const never = await run([first, last], 0)
      const before = await run([first], 0)
      const all = await run([first, change, last], 0)
      const own = all.count - never.count
      const failures: unknown[] = []
      for (let step = before.count + 1; step <= before.count + own; step++) {
        for (const isDone of [false, true]) {
          const { store, desk, commits, answers } = await run([first, change, last], step, isDone)
          failures.push(answers[1])
          expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
          expect(JSON.stringify(store.data)).toBe(JSON.stringify(never.store.data))
          expect(desk.saved).toBe(never.desk.saved)
          expect(commits).toEqual(never.commits)
          for (const id of [1, 2, 3, 4, 8, 9, 20, 21, 30]) {
            expect(store.find('posts', id)).toEqual(never.store.find('posts', id))
          }
        }
      }
      // Whatever changes something takes at least one step.
      const isChanging = JSON.stringify(all.store.data) !== JSON.stringify(never.store.data)
      expect(failures.length > 0).toBe(isChanging)
    },
  )
})

it('a batch of which a part throws is refused, and saves no part of it', async () => {
  const { store, desk } = open(true)
  const { saved } = desk
  const batch: RowChange = {
    kind: 'batch',
    changes: [
      { kind: 'insert', collection: 'posts', rows: [{ title: 'half' }] },
      // Not JSON, and not a change: whoever sends it has an error in his program.
      { kind: 'merge', collection: 'posts', id: '1', fields: null as never },
      { kind: 'nonsense' } as never,
    ],
  }
  await expect(store.write(batch)).rejects.toThrow()
  expect(store.data).toEqual(DATA)
  expect(desk.saved).toBe(saved)
})
