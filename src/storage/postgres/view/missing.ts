import type { KeyColumn } from '../../types.ts'

/** What was asked for of a collection, and was not fetched yet. */
export class Missing {
  all = false
  highest = false
  readonly ids = new Set<string>()
  /** Positions of rows whose places are wanted. */
  readonly places = new Set<number>()
  readonly keys = new Map<string, { readonly column: KeyColumn; readonly keys: Set<string> }>()

  noteKey(column: KeyColumn, key: string): void {
    const known = this.keys.get(column.name) ?? { column, keys: new Set<string>() }
    this.keys.set(column.name, known)
    known.keys.add(key)
  }

  get isAny(): boolean {
    return this.all || this.highest || this.ids.size + this.places.size + this.keys.size > 0
  }

  clear(): void {
    this.all = false
    this.highest = false
    this.ids.clear()
    this.places.clear()
    this.keys.clear()
  }
}
