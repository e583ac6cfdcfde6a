import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { Random } from '../../core/kernel/util/random.ts'
import { hasFormat } from '../../wings/schemas/formats.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { keyMaker, type RowKey } from './keys.ts'
import {
  type Fakes,
  type GrownRow,
  type Learning,
  type Maker,
  type ObjectMaker,
  TRIES,
  type ValuePlace,
} from './maker.ts'
import { type Field, fieldNames, fieldOf, makerOfFields } from './objects.ts'
import { idMaker } from './texts.ts'
import { momentsOf } from './times.ts'
import { UniqueValues } from './unique-fields.ts'
import { valueMaker } from './values.ts'

export interface Learnable {
  readonly resource: string
  readonly rows: readonly GrownRow[]
  readonly id: string
  readonly ids?: 'increment' | 'uuid' | 'nanoid' | undefined
  /** The user's schema, with references replaced. */
  readonly schema?: JsonSchema | undefined
  /** Whether a row fits the whole schema, apart from what the server fills in. */
  readonly fits?: ((row: GrownRow) => boolean) | undefined
  /** Fields, or fields together, of which no two rows have the same values. */
  readonly unique?: readonly (readonly string[])[] | undefined
  /** By path. */
  readonly keys?: ReadonlyMap<string, RowKey> | undefined
  /** Fields that the server fills in or hides. */
  readonly left?: readonly string[] | undefined
  readonly fakes?: Fakes | undefined
}

/** Facts learned from the rows of a collection, and counters of the rows made: for one growth. */
interface Profile {
  readonly rows: readonly GrownRow[]
  readonly schema: JsonSchema
  readonly make: ObjectMaker
  readonly makers: ReadonlyMap<string, Maker>
  readonly unique: readonly UniqueValues[]
  readonly fits: (row: GrownRow) => boolean
  /** Makes ids, unless the server does. */
  readonly newId: Maker | undefined
  readonly id: string
}

export async function learn(learnable: Learnable): Promise<Profile> {
  const { resource, rows, id, schema = {}, fits = () => true } = learnable
  const pace = new TimeSlice()
  const sample = sampleOf(rows)
  const keys = new Map([...(learnable.keys ?? [])].map(([path, key]) => [path, keyMaker(key)]))
  const learning: Learning = {
    fakes: learnable.fakes,
    keys,
    left: new Set([id, ...(learnable.left ?? [])]),
    valueMaker,
  }
  const place: ValuePlace = { resource, name: resource, path: '', depth: 0, schema, learning }
  const fields: Field[] = []
  for (const name of fieldNames(sample, place)) {
    fields.push(fieldOf(name, sample, place))
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  const ids = rows.map((row) => row[id])
  const newId = idMaker(ids, learnable.ids, schema.properties?.[id] ?? {}, learning)
  const observed = observedUnique(sample, fields, keys)
  const groups = [...(learnable.unique ?? []), ...observed, ...(newId ? [[id]] : [])]
  const unique = groups.map((paths) => new UniqueValues(paths))
  for (const row of unique.length > 0 ? rows : []) {
    for (const each of unique) each.add(row)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return {
    rows: sample,
    schema,
    id,
    make: makerOfFields(fields, sample),
    makers: new Map(fields.map(({ name, make }) => [name, make])),
    unique,
    fits,
    newId,
  }
}

/**
 * A new row like those of a profile: the same for the same profile and the same random numbers.
 * @param sent fields that are given
 * @param isSparse fills in only what the schema requires, and what all rows have
 */
export function growRow(profile: Profile, random: Random, sent: GrownRow = {}, isSparse = false): GrownRow {
  const { id, newId, unique, schema, makers } = profile
  const made = fittingRow(profile, random, sent, isSparse)
  // First, as it mostly is in the data; the server fills in one that is undefined.
  const row: GrownRow = { [id]: Object.hasOwn(sent, id) ? sent[id] : newId?.(random), ...made }
  const remake = (name: string) => (name === id ? newId : makers.get(name))?.(random)
  for (const each of unique) each.settle(row, sent, schema, remake)
  return row
}

/** From all parts of the list, but not in regular steps, which could hide that rows take turns. */
export function sampleOf(rows: readonly GrownRow[]): readonly GrownRow[] {
  if (rows.length <= MOST_ROWS) return rows
  const random = new Random('sample')
  const step = rows.length / MOST_ROWS
  return Array.from({ length: MOST_ROWS }, (_, at) => rows[Math.floor((at + random.next()) * step)] ?? {})
}

/** Rows that are looked at closely. */
const MOST_ROWS = 2000

/** As many values, all different, tell that they are unique. Addresses and UUIDs always are. */
const ENOUGH = 8

/** Texts that no two rows share, and that identify: sentences, dates and ZIP codes are merely different. */
function observedUnique(
  rows: readonly GrownRow[],
  fields: readonly Field[],
  keys: ReadonlyMap<string, Maker>,
): readonly (readonly string[])[] {
  const names = fields.map(({ name }) => name).filter((name) => !keys.has(name))
  return names.flatMap((name) => {
    const values = rows.flatMap((row) => (Object.hasOwn(row, name) ? [row[name]] : []))
    const texts = values.filter((value) => typeof value === 'string')
    const isKnown = texts.every((text) => hasFormat('email', text) || hasFormat('uuid', text))
    const isUnique =
      texts.length === values.length &&
      new Set(texts).size === texts.length &&
      !momentsOf(texts) &&
      texts.every((text) => /^(?=.*\p{L})\S+$/u.test(text))
    return isUnique && texts.length >= (isKnown ? 1 : ENOUGH) ? [[name]] : []
  })
}

/** A row that fits the schema; if none of many does, one with the fields of another row. */
function fittingRow(profile: Profile, random: Random, sent: GrownRow, isSparse: boolean): GrownRow {
  const { make, fits, rows, makers } = profile
  let row: GrownRow = {}
  for (let attempt = 0; attempt < TRIES; attempt++) {
    row = make(random, sent, isSparse)
    if (fits(row)) return row
  }
  const usual = rows.filter(fits)
  if (usual.length === 0) return row
  const fields = Object.entries(random.pick(usual)).filter(([name]) => makers.has(name))
  return { ...Object.fromEntries(fields), ...sent }
}
