import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import { Draft } from '../../../../src/core/engine/changes/draft.ts'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import { openOnDesk } from '../../../support/engine/desk.ts'
import { CHANGES } from '../contract/changes.ts'
import { DATA } from '../contract/data.ts'

/** Every step by which a change becomes a part of a draft. */
const STEPS = ['insert', 'replace', 'positionOf', 'set'] as const

/** Counts the steps, and lets one of them fail: before it is done, or right after. */
function watchSteps(failing: number, isDone: boolean): { readonly count: number } {
  const seen = { count: 0 }
  const fail = () => {
    throw new Error('a step failed')
  }
  for (const name of STEPS) {
    const step: (...args: never) => unknown = Draft.prototype[name]
    vi.spyOn(Draft.prototype as unknown as Record<string, () => unknown>, name).mockImplementation(function (
      this: unknown,
      ...args: unknown[]
    ) {
      seen.count++
      const isFailing = seen.count === failing
      if (isFailing && !isDone) return fail()
      const result: unknown = Reflect.apply(step, this, args)
      if (!isFailing) return result
      return result instanceof Promise ? result.then(fail) : fail()
    })
  }
  return seen
}

afterEach(() => {
  vi.restoreAllMocks()
})

const first: RowChange = { kind: 'insert', collection: 'posts', rows: [{ id: 20 }], place: 1 }
const last: RowChange = { kind: 'insert', collection: 'posts', rows: [{}] }

describe.each([
  ['of its own', false],
  ['that others hold too', true],
])('a change of data %s that fails at any step', (_, isShared) => {
  const stateOf = async (engine: Engine) => JSON.stringify((await engine.read({ kind: 'database' })).found)
  const run = async (changes: readonly RowChange[], failing: number, isDone = false) => {
    const opened = openOnDesk(DATA, { isShared, now: () => 7, past: { base: 0, bottom: 0, commits: [] } })
    const commits: Commit[] = []
    opened.engine.subscribe((commit) => commits.push(commit))
    const seen = watchSteps(failing, isDone)
    const outcomes = await Promise.allSettled(changes.map((each) => opened.engine.write(each)))
    vi.restoreAllMocks()
    return { ...opened, commits, outcomes, count: seen.count }
  }

  it.each(CHANGES.map(([name, change]) => [name, change] as const))(
    'leaves nothing, neither in memory nor in the file nor for its neighbors: %s',
    async (__, change) => {
      const never = await run([first, last], 0)
      const before = await run([first], 0)
      const all = await run([first, change, last], 0)
      const own = all.count - never.count
      for (let step = before.count + 1; step <= before.count + own; step++) {
        for (const isDone of [false, true]) {
          const { engine, desk, commits, outcomes } = await run([first, change, last], step, isDone)
          expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
          expect(await stateOf(engine)).toBe(await stateOf(never.engine))
          expect(desk.saved).toBe(never.desk.saved)
          expect(commits).toEqual(never.commits)
        }
      }
      // Whatever changes something takes at least one step.
      if (all.desk.saved !== never.desk.saved) expect(own).toBeGreaterThan(0)
    },
  )
})

it('a batch of which a part throws is refused, and saves no part of it', async () => {
  const { engine, desk } = openOnDesk(DATA)
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
  await expect(engine.write(batch)).rejects.toThrow()
  expect((await engine.read({ kind: 'database' })).found).toEqual(DATA)
  expect(desk.saved).toBe(saved)
})
