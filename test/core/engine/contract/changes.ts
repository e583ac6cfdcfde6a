import { ofMany } from './changes-of-many.ts'
import { ofOne } from './changes-of-one.ts'
import type { ChangeCase } from './data.ts'

/** Each kind of change there is. */
export const CHANGES: ChangeCase[] = [...ofOne, ...ofMany]
