import type { Medium } from '../../../src/storage/local/keeper.ts'
import type { Data } from '../../../src/storage/types.ts'

/** A medium that discards writes, and holds what is put into it from outside. */
export class Outside implements Medium {
  fresh: Data | null = null
  async read(): Promise<Data | null> {
    const { fresh } = this
    this.fresh = null
    return fresh
  }
  async write(): Promise<void> {}
  async changedOutside(): Promise<boolean> {
    return this.fresh !== null
  }
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }
}
