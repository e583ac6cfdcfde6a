import { Collection } from './collection.ts'

/** A collection whose array others hold and may change at any time: what was learnt about it is a hint. */
export class LiveTable extends Collection {
  /** Who knows where the index does not may have been pushed, moved or renamed since it looked. */
  positionOf(id: string): number {
    const position = this.ids.positionOf(id)
    return position >= 0 ? position : this.ids.search(id)
  }

  highestId(): unknown {
    this.highest.reset()
    return this.highest.value()
  }
}
