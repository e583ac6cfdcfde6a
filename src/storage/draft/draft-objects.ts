import type { ObjectEffect } from '../commit.ts'
import { isRow } from '../is-row.ts'
import type { Data, Row } from '../types.ts'

/** The single objects that a group of changes would replace. */
export class DraftObjects {
  readonly #data: Data
  readonly #changed = new Map<string, unknown>()
  /** Previous values of the objects replaced by the current change. */
  #before = new Map<string, unknown>()

  constructor(data: Data) {
    this.#data = data
  }

  get changed(): ReadonlyMap<string, unknown> {
    return this.#changed
  }

  get(name: string): unknown {
    return this.#changed.has(name) ? this.#changed.get(name) : this.#data[name]
  }

  set(name: string, value: Row): void {
    if (!this.#before.has(name)) this.#before.set(name, this.get(name))
    this.#changed.set(name, value)
  }

  /** Adds an empty collection. Nobody is told: there is nothing in it, and nothing to undo. */
  create(name: string): void {
    this.#changed.set(name, [])
  }

  touched(): readonly string[] {
    return [...this.#before.keys()].filter((name) => this.#before.get(name) !== this.get(name))
  }

  effects(): readonly ObjectEffect[] {
    return this.touched().flatMap((name) => {
      const before = this.#before.get(name)
      const after = this.get(name)
      return isRow(before) && isRow(after) ? [{ kind: 'object', name, before, after }] : []
    })
  }

  settle(): void {
    this.#before = new Map()
  }

  rollBack(): void {
    for (const [name, value] of this.#before) {
      if (value === this.#data[name]) this.#changed.delete(name)
      else this.#changed.set(name, value)
    }
    this.settle()
  }
}
