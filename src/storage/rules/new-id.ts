import { randomUUID } from 'node:crypto'
import { nanoid } from 'nanoid'
import type { Source } from '../data/database.ts'
import { fieldText, type Lookup, lookup } from '../data/lookup.ts'
import type { Row } from '../types.ts'
import type { RuleSet } from './compiled-rules.ts'

export type NewId = (row: Row, highest: unknown, usual: () => unknown) => unknown

/**
 * Makes ids of the configured kind or, where the schema has the id, of the first valid one. Undefined if the engine
 * does.
 */
export function idMaker(ruled: RuleSet, id: string, rows: () => readonly Row[]): NewId | undefined {
  const kind = ruled.ids
  const schema = ruled.fields?.includes(id) ? ruled.schema : undefined
  if (!kind && !schema) return undefined
  let last: number | undefined
  const count = (highest: unknown) => {
    if (typeof highest === 'number') return highest + 1
    last = (last ?? highestNumber(rows(), id)) + 1
    return last
  }
  const texts = { short: () => nanoid(7), uuid: () => randomUUID(), nanoid: () => nanoid() }

  function* candidates(highest: unknown, usual: () => unknown): Generator<unknown> {
    const isCounted = kind === 'increment' && highest !== undefined && typeof highest !== 'number'
    const first = isCounted ? count(highest) : kind && kind !== 'increment' ? texts[kind]() : usual()
    yield first
    const number = typeof first === 'number' ? first : count(highest)
    if (number !== first) yield number
    if (kind === 'increment') yield String(number)
    for (const make of Object.values(texts)) yield make()
    yield String(number)
  }

  /** An error of the row itself may come from its id: none of the schema's alternatives may fit. */
  const isFitting = (row: Row) =>
    !schema?.faultsOf(row).some(({ path }) => path === '' || path === id || path.startsWith(`${id}.`))

  return (row, highest, usual) => {
    const refused: unknown[] = []
    for (const made of candidates(highest, usual)) {
      if (isFitting({ ...row, [id]: made })) return made
      refused.push(made)
    }
    return refused[0]
  }
}

function highestNumber(rows: readonly Row[], id: string): number {
  let highest = 0
  for (const row of rows) {
    const number = Number(row?.[id])
    if (Number.isSafeInteger(number) && number > highest) highest = number
  }
  return highest
}

/** Returns whether any row or object has an id in one of these fields, such as its owner. */
export async function idsInUse(
  draft: Source,
  keysIn: (resource: string) => readonly string[],
): Promise<(id: string) => boolean> {
  const lookups: Lookup[] = []
  const ofObjects = new Set<string | undefined>()
  for (const name of draft.names()) {
    for (const field of keysIn(name)) {
      if (draft.kindOf(name) === 'object') ofObjects.add(fieldText(await draft.object(name), field))
      else lookups.push(await lookup(draft, name, field))
    }
  }
  return (id) => ofObjects.has(id) || lookups.some((find) => find(id).length > 0)
}
