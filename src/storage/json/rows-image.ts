import type { Table } from '../table/table.ts'
import type { TableDraft } from '../table/table-draft.ts'
import type { Row } from '../types.ts'

/**
 * A collection as a save is to leave it. For JSON it is the list of its rows; who wrote the collection before can
 * tell from its table and its change what need not be looked at again.
 */
export class RowsImage {
  readonly table: Table
  readonly change: TableDraft | undefined

  constructor(table: Table, change?: TableDraft) {
    this.table = table
    this.change = change
  }

  toJSON(): readonly Row[] {
    return this.change?.rows ?? this.table.rows
  }
}
