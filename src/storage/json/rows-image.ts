import { withHidden } from '../hidden/hidden-fields.ts'
import type { Collection } from '../table/collection.ts'
import type { TableDraft } from '../table/table-draft.ts'
import type { Row } from '../types.ts'

/**
 * A collection to be saved. `toJSON` gives its rows, whole; a serializer that wrote the collection before can
 * tell from the table and the change which rows it need not check again.
 */
export class RowsImage {
  readonly table: Collection
  readonly change: TableDraft | undefined

  constructor(table: Collection, change?: TableDraft) {
    this.table = table
    this.change = change
  }

  get rows(): readonly Row[] {
    return this.change?.rows ?? this.table.rows
  }

  /** As they are stored. */
  toJSON(): readonly Row[] {
    return this.rows.map(withHidden)
  }
}
