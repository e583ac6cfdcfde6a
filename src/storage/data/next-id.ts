import { nanoid } from 'nanoid'
import { toText } from '../../catalogue/text.ts'
import type { Row } from '../types.ts'

/** The id for a new row: the highest number plus one, or seven random characters if ids are not numbers. */
export function nextId(highest: unknown): number | string {
  if (highest === undefined) return 1
  const next = typeof highest === 'number' && Number.isFinite(highest) ? highest + 1 : undefined
  // Above 2^53 adding one changes nothing, and the id would be assigned twice.
  return next !== undefined && next !== highest ? next : nanoid(7)
}

/** If it is taken, another: a number further on, in ever longer steps. */
export function freeId(id: unknown, isTaken: (id: string) => boolean): unknown {
  let free = id
  for (let step = 1; isTaken(toText(free)); step *= 2)
    free = typeof free === 'number' ? free + step : nanoid(7)
  return free
}

/** Compares like `>`, so with mixed ids the first type stays, as in json-server. */
export function higherId(highest: unknown, row: unknown, idName: string): unknown {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, idName)) return highest
  const id: unknown = (row as Row)[idName]
  // Arrays and objects have no order, and may not convert to a string.
  if (id === undefined || typeof id === 'object' || Number.isNaN(id)) return highest
  return highest === undefined || (id as number) > (highest as number) ? id : highest
}
