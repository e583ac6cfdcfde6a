import { toText } from '../../kernel/catalogue/text.ts'
import { randomId } from '../../kernel/util/random-id.ts'
import type { Row } from '../types.ts'
import { valueColumn } from './columns.ts'
import type { Derivation } from './derived.ts'
import { AFTER, BEFORE, indexOf } from './index.ts'
import type { Table } from './table.ts'

/** The id for a new row: the highest number plus one, or seven random characters if ids are not numbers. */
export function nextId(highest: unknown): number | string {
  if (highest === undefined) return 1
  const next = typeof highest === 'number' && Number.isFinite(highest) ? highest + 1 : undefined
  // Above 2^53 adding one changes nothing, and the id would be assigned twice.
  return next !== undefined && next !== highest ? next : randomId(7)
}

/** If it is taken, another: a number further on, in ever longer steps. */
export function freeId(id: unknown, isTaken: (id: string) => boolean): unknown {
  let free = id
  for (let step = 1; isTaken(toText(free)); step *= 2)
    free = typeof free === 'number' ? free + step : randomId(7)
  return free
}

/** The highest id, as `nextId` needs it: from the index if all are numbers, else from all rows in order. */
export async function highestId(table: Table, field: string): Promise<unknown> {
  const index = await table.derive(indexOf(valueColumn(field)))
  const numbers = index.positionOf('', BEFORE)
  const hasOthers =
    index.positionOf(null, BEFORE) > numbers || index.positionOf(undefined, AFTER) < index.size
  if (!hasOthers) return index.itemAt(numbers - 1)
  return (await table.derive(highestOf(field))).id
}

function highestOf(field: string): Derivation<{ readonly id: unknown; readonly last: number }> {
  return {
    name: `highest ${field}`,
    build: (rows) => ({
      id: rows.items().reduce<unknown>((best, row) => higherId(best, row, field), undefined),
      last: rows.root.lastRank,
    }),
    // Only appended rows can be compared incrementally.
    update: (highest, changes) =>
      changes.every(({ before, rank }) => before === undefined && rank > highest.last)
        ? {
            id: changes.reduce<unknown>((best, { after }) => higherId(best, after, field), highest.id),
            last: changes.at(-1)?.rank ?? highest.last,
          }
        : undefined,
  }
}

/** Compares like `>`, so with mixed ids the first type stays, as in json-server. */
export function higherId(highest: unknown, row: unknown, idName: string): unknown {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, idName)) return highest
  const id: unknown = (row as Row)[idName]
  // Arrays and objects have no order, and may not convert to a string.
  if (id === undefined || typeof id === 'object' || Number.isNaN(id)) return highest
  return highest === undefined || (id as number) > (highest as number) ? id : highest
}
