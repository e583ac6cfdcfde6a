import { sizeUpTo } from '../../json/json-size.ts'
import { Pace } from '../../util/pace.ts'
import type { Database, Part } from './database.ts'
import { Table } from './table.ts'
import { diff } from './tree.ts'

/** In bytes. */
const AT_ONCE = 1024 * 1024

/** Bytes that some data does not share with the data it began as. Costs what changed since the last count. */
export class OwnBytes {
  readonly #origin: Database
  #counted: Database
  #newest: Database
  #bytes = 0
  #isCounting = false
  #count = Promise.resolve()

  constructor(origin: Database) {
    this.#origin = origin
    this.#counted = origin
    this.#newest = origin
  }

  /** Undefined if all is counted. */
  get counting(): Promise<void> | undefined {
    return this.#isCounting ? this.#count : undefined
  }

  /** All of them, unless megabytes changed: those are counted with pauses, and it is what was counted so far. */
  of(database: Database): number {
    this.#newest = database
    if (!this.#isCounting && database !== this.#counted) this.#count = this.#countAll()
    return this.#bytes
  }

  async #countAll(): Promise<void> {
    const pace = new Pace()
    let sum = 0
    this.#isCounting = true
    while (this.#counted !== this.#newest) {
      const next = this.#newest
      for (const [value, sign] of ownValues(this.#counted, next, this.#origin)) {
        const size = sizeUpTo(Number.POSITIVE_INFINITY, value)
        this.#bytes += sign * size
        sum += size
        if (sum > AT_ONCE && pace.isDue) await pace.turn()
      }
      this.#counted = next
    }
    this.#isCounting = false
  }
}

/** What came, and what went, apart from what is shared with the origin. */
function* ownValues(before: Database, after: Database, origin: Database): Generator<[unknown, 1 | -1]> {
  for (const name of new Set([...before.parts.keys(), ...after.parts.keys()])) {
    const [old, next, shared] = [before.parts.get(name), after.parts.get(name), origin.parts.get(name)]
    if (old === next) continue
    for (const { rank, ...row } of diff(rowsOf(old).rows, rowsOf(next).rows)) {
      const theirs = rowsOf(shared).row(rank)
      if (row.before !== undefined && row.before !== theirs) yield [row.before, -1]
      if (row.after !== undefined && row.after !== theirs) yield [row.after, 1]
    }
    if (isOther(old, shared)) yield [old, -1]
    if (isOther(next, shared)) yield [next, 1]
  }
}

function isOther(part: Part, shared: Part): boolean {
  return part !== undefined && part !== shared && !(part instanceof Table)
}

function rowsOf(part: Part): Table {
  return part instanceof Table ? part : NOTHING
}

const NOTHING = Table.of([])
