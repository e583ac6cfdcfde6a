import { StoredRows } from './collection.ts'

/** A collection whose array others hold and may change at any time: what the index knows is only a hint. */
export class LiveTable extends StoredRows {
  /** Scans on a miss: the row may have been pushed, moved or renamed since the index was built. */
  positionOf(id: string): number {
    const position = this.ids.positionOf(id)
    return position >= 0 ? position : this.ids.search(id)
  }

  highestId(): unknown {
    this.highest.reset()
    return this.highest.value()
  }
}
