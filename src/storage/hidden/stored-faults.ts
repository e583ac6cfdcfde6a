import type { FieldFault, RowSchema } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import { hides } from './hidden-fields.ts'

/** What is wrong with a row that is stored. What it hides was judged when it was sent. */
export function faultsOfStored(schema: RowSchema, row: Row): readonly FieldFault[] {
  return schema.faultsOf(row).filter(({ path }) => !hides(row, path))
}
