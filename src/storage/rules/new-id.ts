import { randomUUID } from 'node:crypto'
import { nanoid } from 'nanoid'
import type { IdKind } from '../resource-rules.ts'
import type { Row } from '../types.ts'

/**
 * Makes ids of one kind. Given the highest there is, as the engine finds it; undefined leaves it to the engine.
 * @param rows all rows, asked for only if their ids are not numbers
 */
export function idMaker(kind: IdKind, rows: () => readonly Row[], id: string): (highest: unknown) => unknown {
  if (kind !== 'increment') return () => (kind === 'uuid' ? randomUUID() : nanoid())
  let last: number | undefined
  return (highest) => {
    if (highest === undefined || typeof highest === 'number') return undefined
    last = (last ?? highestNumber(rows(), id)) + 1
    return last
  }
}

/** Among ids that are not all numbers; 0 if none reads as one. */
function highestNumber(rows: readonly Row[], id: string): number {
  let highest = 0
  for (const row of rows) {
    const number = Number(row?.[id])
    if (Number.isSafeInteger(number) && number > highest) highest = number
  }
  return highest
}
