import type { Commit } from '../../commit.ts'
import { fieldText } from '../../index/id-index.ts'

/** Rows that are remembered one by one; of others the whole collection counts as changed. */
const MOST_IDS = 10_000

/** Which version of the data changed what last, as far as was heard: tells whether readings are still current. */
export class Freshness {
  readonly #id: string
  readonly #names = new Map<string, Changes>()
  /** Everything was replaced. */
  #floor = 0
  #version = 0

  constructor(id: string) {
    this.#id = id
  }

  /** The last commit. */
  get version(): number {
    return this.#version
  }

  /** The last commit that changed a resource. */
  of(name: string): number {
    return Math.max(this.#floor, this.#names.get(name)?.version ?? 0)
  }

  /** The last commit that changed, added or removed a row with this id. */
  ofItem(collection: string, id: string): number {
    const changes = this.#names.get(collection)
    return Math.max(this.#floor, changes?.ids.get(id) ?? changes?.others ?? 0)
  }

  start(version: number): void {
    this.#floor = version
    this.#version = version
    this.#names.clear()
  }

  note(version: number, { names, effects }: Commit): void {
    if (!effects) {
      this.start(version)
      return
    }
    this.#version = version
    for (const name of names) this.#changesOf(name).version = version
    for (const effect of effects) {
      if (effect.kind === 'object') continue
      const changes = this.#changesOf(effect.name)
      const rows = [...effect.removed, ...effect.added].map(({ row }) => row)
      for (const row of [...rows, ...effect.replaced.map(({ after }) => after)]) {
        const id = fieldText(row, this.#id)
        if (id !== undefined) changes.ids.set(id, version)
      }
      if (changes.ids.size <= MOST_IDS) continue
      changes.ids.clear()
      changes.others = version
    }
  }

  #changesOf(name: string): Changes {
    const known = this.#names.get(name) ?? { version: 0, others: 0, ids: new Map<string, number>() }
    this.#names.set(name, known)
    return known
  }
}

interface Changes {
  version: number
  /** Of all rows that are not listed. */
  others: number
  readonly ids: Map<string, number>
}
