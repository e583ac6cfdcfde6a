import type { Collection } from '../table/collection.ts'
import type { TableDraft } from '../table/table-draft.ts'
import type { Row } from '../types.ts'

/**
 * A collection to be saved. `toJSON` gives its rows; a serializer that wrote the collection before can
 * tell from the table and the change which rows it need not check again.
 */
export class RowsImage {
  readonly table: Collection
  readonly change: TableDraft | undefined

  constructor(table: Collection, change?: TableDraft) {
    this.table = table
    this.change = change
  }

  toJSON(): readonly Row[] {
    return this.change?.rows ?? this.table.rows
  }
}
