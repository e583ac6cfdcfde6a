import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Commit, KeptPast, SharedPast } from '../../../src/storage/commit.ts'
import { SharedRecorder } from '../../../src/storage/history/shared-recorder.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'

/** Cannot be read a few times. */
class Past implements SharedPast {
  readonly commits: Commit[] = []
  reads = 0
  #failures: number

  constructor(failures: number) {
    this.#failures = failures
  }

  async read(): Promise<KeptPast> {
    this.reads++
    await nextTurn()
    if (this.#failures-- > 0) throw new Error('The database cannot be reached.')
    return { base: 0, bottom: 0, commits: [...this.commits] }
  }

  async move(): Promise<readonly number[]> {
    return []
  }
}

describe('a past that cannot be read', () => {
  it.each([
    [1, 2],
    [5, 6],
  ])(
    '%i times is complete with the next change that is heard after that, and read no more',
    async (failures, reads) => {
      const past = new Past(failures)
      const engine = new LocalEngine({}, { id: 'id', foreignKeySuffix: 'Id' })
      const recorder = new SharedRecorder(engine, past, () => 7)
      const settled = async () => {
        for (let turns = 0; turns < 5; turns++) await nextTurn()
      }
      const versions: number[] = []
      for (let version = 1; version <= 10; version++) {
        await settled()
        const logged = { version, time: 7, bytes: 1, top: version }
        const commit: Commit = { names: ['posts'], effects: [], logged }
        past.commits.push(commit)
        versions.push(version)
        expect(recorder.hear(commit).version).toBe(version)
        await settled()
        if (version < failures) continue
        expect(recorder.timeline.version).toBe(version)
        expect(recorder.timeline.log.after(0)?.map((each) => each.version)).toEqual(versions)
      }
      expect(past.reads).toBe(reads)
    },
  )
})
