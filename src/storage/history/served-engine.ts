import type { Engine } from '../engine.ts'
import type { Data } from '../types.ts'
import { Baseline } from './baseline.ts'
import { History, type HistoryOptions } from './history.ts'
import type { ChangeNote } from './recorded.ts'

/** Data that is served: where it is, what happened to it, and the way back to its beginning. */
export interface Served {
  readonly engine: Engine
  readonly history: History
  /** Goes back to the content that came from outside last. Resolves once that is saved. */
  reset(note?: ChangeNote): Promise<void>
}

export interface ServedEngineOptions extends HistoryOptions {
  /** What a reset goes back to, instead. Read each time. */
  readonly seed?: (() => Promise<Data>) | undefined
}

/** An engine whose changes are remembered from now on. */
export class ServedEngine implements Served {
  readonly engine: Engine
  readonly history: History
  readonly #content: Baseline | undefined
  readonly #seed: (() => Promise<Data>) | undefined

  constructor(engine: Engine, { seed, ...options }: ServedEngineOptions) {
    this.engine = engine
    this.history = new History(engine, options)
    this.#seed = seed
    this.#content = seed || engine.rewind ? undefined : new Baseline(engine)
  }

  async reset(note: ChangeNote = {}): Promise<void> {
    // What somebody has just edited came from outside, too. If it cannot be read, it is replaced.
    await this.engine.refresh().catch(() => false)
    if (!this.#seed && this.engine.rewind) return this.engine.rewind({ note })
    const data = (await this.#seed?.()) ?? (await this.#content?.data()) ?? {}
    await this.engine.write({ kind: 'replace-database', data }, { note })
  }

  /** Call before others get the data, and may change rows of it in place. */
  copyRows(): void {
    this.history.copyRows()
    this.#content?.copyRows()
  }

  close(): void {
    this.history.close()
    this.#content?.close()
  }
}
