import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import type { Data, ListQuery, Lookup, Row, Selection } from '../../../src/storage/types.ts'
import { type Work, workInSlices } from '../../../src/work/in-slices.ts'

/** A local engine with a window to its parts, for tests of those. */
export class LocalStore extends LocalEngine {
  get data(): Data {
    return this.local.data
  }

  get version(): number {
    return this.local.version
  }

  get isOwned(): boolean {
    return this.local.isOwned
  }

  sizeOf(collection: string): number | undefined {
    return this.local.sizeOf(collection)
  }

  rows(collection: string): readonly Row[] | undefined {
    return this.local.rows(collection)
  }

  find(collection: string, id: unknown): Row | undefined {
    return this.local.find(collection, id)
  }

  lookup(collection: string, field: string): Lookup | Promise<void> | undefined {
    return this.local.lookup(collection, field)
  }

  lookupEntries(collection: string, field: string): Lookup | Promise<void> | undefined {
    return this.local.lookupEntries(collection, field)
  }

  hasField(collection: string, field: string): Work<boolean> {
    return this.local.hasField(collection, field)
  }

  select(collection: string, query: ListQuery): Selection | Promise<Selection> {
    return workInSlices(this.local.selecting(collection, query))
  }
}
