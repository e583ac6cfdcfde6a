import type { Profile } from './learn.ts'
import { type Row, TRIES } from './maker.ts'
import type { Random } from './random.ts'

export interface GrowOptions {
  /** Fields of each row that are given. */
  readonly sent?: readonly Row[]
  /** Fills in only what the schema requires, and what all rows have. @default false */
  readonly isSparse?: boolean
}

/** New rows like those of a profile: the same for the same profile and the same random numbers. */
export function* grow(
  profile: Profile,
  count: number,
  random: Random,
  { sent = [], isSparse = false }: GrowOptions = {},
): Generator<Row> {
  for (let at = 0; at < count; at++) yield growRow(profile, random, sent[at] ?? {}, isSparse)
}

function growRow(profile: Profile, random: Random, sent: Row, isSparse: boolean): Row {
  const { id, newId, unique, schema, makers } = profile
  const made = fittingRow(profile, random, sent, isSparse)
  // First, as it mostly is in the data; the server fills in one that is undefined.
  const row: Row = { [id]: Object.hasOwn(sent, id) ? sent[id] : newId?.(random), ...made }
  const remake = (name: string) => (name === id ? newId : makers.get(name))?.(random)
  for (const each of unique) each.settle(row, sent, schema, remake)
  return row
}

/** A row that fits the schema; if none of many does, one with the fields of another row. */
function fittingRow(profile: Profile, random: Random, sent: Row, isSparse: boolean): Row {
  const { make, fits, rows, makers } = profile
  let row: Row = {}
  for (let attempt = 0; attempt < TRIES; attempt++) {
    row = make(random, sent, isSparse)
    if (fits(row)) return row
  }
  const usual = rows.filter(fits)
  if (usual.length === 0) return row
  const fields = Object.entries(random.pick(usual)).filter(([name]) => makers.has(name))
  return { ...Object.fromEntries(fields), ...sent }
}
