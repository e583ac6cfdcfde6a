import type { FieldFault } from '../../core/engine/resource-rules.ts'
import { withoutFields } from '../../core/engine/rules/served-fields.ts'
import type { Row } from '../../core/engine/types.ts'
import { setField } from '../../core/kernel/json/values.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { Random } from '../../core/kernel/util/random.ts'
import { hasFormat } from '../schemas/formats.ts'
import type { JsonSchema } from '../schemas/json-schema.ts'
import { keyMaker, type RowKey } from './keys.ts'
import { type Fakes, inside, type Maker, type ObjectMaker, TRIES, type ValuePlace } from './maker.ts'
import { type Field, fieldNames, fieldOf, makerOfFields } from './objects.ts'
import { idMaker } from './texts.ts'
import { momentsOf } from './times.ts'
import { topOf, UniqueValues } from './unique-fields.ts'
import { valueMaker } from './values.ts'

export interface Learnable {
  readonly resource: string
  readonly rows: readonly Row[]
  readonly id: string
  readonly ids?: 'increment' | 'uuid' | 'nanoid' | undefined
  /** The user's schema, with references replaced. */
  readonly schema?: JsonSchema | undefined
  /** Faults of a row under the whole schema, apart from fields that the server fills in. */
  readonly faultsOf?: ((row: Row) => readonly Pick<FieldFault, 'path'>[]) | undefined
  /** Fields, or fields together, of which no two rows have the same values. */
  readonly unique?: readonly (readonly string[])[] | undefined
  /** By path. */
  readonly keys?: ReadonlyMap<string, RowKey> | undefined
  /** Fields that the server fills in or hides. */
  readonly left?: readonly string[] | undefined
  readonly fakes?: Fakes | undefined
  /** Makes values in place of `valueMaker`, which it may use. */
  readonly makerOf?: typeof valueMaker | undefined
}

/** Facts learned from the rows of a collection, and counters of the rows made: for one growth. */
interface Profile {
  readonly id: string
  readonly schema: JsonSchema
  /** Rows without faults. */
  readonly usual: readonly Row[]
  readonly make: ObjectMaker
  readonly makers: ReadonlyMap<string, Maker>
  readonly unique: readonly UniqueValues[]
  /** Makes ids, unless the server does. */
  readonly newId: Maker | undefined
  faultyFields(row: Row): readonly string[]
}

export async function learn(learnable: Learnable): Promise<Profile> {
  const { resource, rows, id, ids, schema = {}, keys = new Map(), left = [], fakes } = learnable
  const { makerOf = valueMaker } = learnable
  const pace = new TimeSlice()
  const faultyFields = (row: Row) => learnable.faultsOf?.(row).map(({ path }) => topOf(path, row)) ?? []
  const usual: Row[] = []
  const known: Row[] = []
  for (const row of sampleOf(rows)) {
    const faulty = faultyFields(row)
    known.push(withoutFields(row, faulty))
    if (faulty.length === 0) usual.push(row)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  const learning = {
    fakes,
    keys: new Map([...keys].map(([path, key]) => [path, keyMaker(key)])),
    left: new Set([id, ...left]),
    valueMaker: makerOf,
  }
  const place: ValuePlace = { resource, name: resource, path: '', depth: 0, schema, learning }
  const fields: Field[] = []
  for (const name of fieldNames(known, place)) {
    fields.push(fieldOf(name, known, place))
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  const newId = idMaker(
    rows.map((row) => row[id]),
    ids,
    inside(place, id),
  )
  const names = fields.map(({ name }) => name).filter((name) => !keys.has(name))
  const observed = names.filter((name) => isIdentifier(known, name)).map((name) => [name])
  const unique = [...(learnable.unique ?? []), ...observed].map((paths) => new UniqueValues(paths))
  if (newId) unique.push(new UniqueValues([id], true))
  for (const row of unique.length > 0 ? rows : []) {
    for (const each of unique) each.add(row)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  const make = makerOfFields(fields, known.length)
  const makers = new Map(fields.map((field) => [field.name, field.make]))
  return { id, schema, usual, make, makers, unique, newId, faultyFields }
}

/**
 * A new row like those of a profile: the same for the same profile and the same random numbers.
 * @param sent fields that are given
 * @param isSparse fills in only what the schema requires, and what all rows have
 */
export function growRow(profile: Profile, random: Random, sent: Row = {}, isSparse = false): Row {
  const { id, newId, unique, schema, makers } = profile
  const made = fittingRow(profile, random, sent, isSparse)
  // First, as it mostly is in the data; the server fills in one that is undefined.
  const row: Row = { [id]: Object.hasOwn(sent, id) ? sent[id] : newId?.(random), ...made }
  const remake = (name: string) => (name === id ? newId : makers.get(name))?.(random)
  for (const each of unique) each.settle(row, sent, schema, remake)
  return row
}

/** Rows that are looked at closely. */
const MOST_ROWS = 2000

/** From all parts of the list, but not in regular steps, which could hide that rows take turns. */
function sampleOf(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= MOST_ROWS) return rows
  const random = new Random('sample')
  const step = rows.length / MOST_ROWS
  return Array.from({ length: MOST_ROWS }, (_, at) => rows[Math.floor((at + random.next()) * step)] ?? {})
}

/** As many values, all different, tell that they are unique. Addresses and UUIDs always are. */
const ENOUGH = 8

/** Whether no two rows share a text, and it identifies: sentences, dates and ZIP codes are merely different. */
function isIdentifier(rows: readonly Row[], name: string): boolean {
  const values = rows.flatMap((row) => (Object.hasOwn(row, name) ? [row[name]] : []))
  const texts = values.filter((value) => typeof value === 'string')
  const isKnown = texts.every((text) => hasFormat('email', text) || hasFormat('uuid', text))
  return (
    texts.length >= (isKnown ? 1 : ENOUGH) &&
    new Set(texts).size === values.length &&
    !momentsOf(texts) &&
    texts.every((text) => /^(?=.*\p{L})\S+$/u.test(text))
  )
}

/** A row that fits the schema; if none of many does, one with the fields of another row. */
function fittingRow(profile: Profile, random: Random, sent: Row, isSparse: boolean): Row {
  const { make, makers, usual, faultyFields } = profile
  let row = make(random, sent, isSparse)
  for (let left = TRIES; left > 0; left--) {
    const faulty = faultyFields(row)
    if (faulty.length === 0) return row
    const isMade = (name: string) =>
      makers.has(name) && Object.hasOwn(row, name) && !Object.hasOwn(sent, name)
    if (!faulty.every(isMade)) row = make(random, sent, isSparse)
    else for (const name of faulty) setField(row, name, makers.get(name)?.(random))
  }
  if (usual.length === 0) return row
  const fields = Object.entries(random.pick(usual)).filter(([name]) => makers.has(name))
  return { ...Object.fromEntries(fields), ...sent }
}
