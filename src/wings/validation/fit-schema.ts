import type { ErrorObject, ValidateFunction } from 'ajv'
import { bytesUpTo } from '../../core/kernel/json/json-size.ts'
import { isSchema, mapInner, type Schema } from '../../core/kernel/json/schema-document.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { loadAjv } from './load-ajv.ts'
import { MOST_BYTES } from './open-schema.ts'

/**
 * The schema without what some row does not fit: rows of a file are served as they are, even those that are older than
 * a rule. Without rows, the schema itself.
 * @param otherwise for rows that no such schema fits
 */
export async function fitSchema<T extends Schema>(
  schema: T,
  rows: readonly unknown[],
  otherwise: T,
): Promise<T | Schema> {
  let fitting: T | Schema = schema
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const edits = await findEdits(fitting, rows)
    if (edits.size === 0) return fitting
    fitting = loosened(fitting, edits)
  }
  return otherwise
}

/** Each round finds all faults of every row, and the first one of a large row. */
const MOST_ROUNDS = 20

/** Changes that let rows fit, by the part of the schema that they do not fit. */
type Edits = Map<unknown, Map<string, (part: Schema) => Schema>>

async function findEdits(schema: Schema, rows: readonly unknown[]): Promise<Edits> {
  const edits: Edits = new Map()
  if (rows.length === 0) return edits
  const compile = (allErrors: boolean) =>
    loadAjv(undefined, 'schema', { allErrors, isChecked: true }).compile(schema)
  const fits = compile(false)
  let findAll: ValidateFunction | undefined
  const pace = new TimeSlice()
  for (const row of rows) {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    if (fits(row)) continue
    const isLarge = bytesUpTo(MOST_BYTES, row) > MOST_BYTES
    findAll ??= compile(true)
    if (!isLarge) findAll(row)
    const errors = (isLarge ? fits : findAll).errors ?? []
    // Fields count as unevaluated if anything else is at fault.
    const others = errors.filter(({ keyword }) => !keyword.startsWith('unevaluated'))
    for (const error of others.length > 0 ? others : errors) {
      const ofPart = getOrMake(edits, error.parentSchema, () => new Map())
      const [key, edit] = editFor(error, ofPart.size)
      ofPart.set(key, edit)
    }
  }
  return edits
}

/** Values that an enumeration gets; with more of them, it is none. */
const MOST_VALUES = 20

function editFor(
  { keyword, params, data }: ErrorObject,
  before: number,
): readonly [string, (part: Schema) => Schema] {
  if (keyword === 'type') {
    const type = typeOf(data)
    return [`type ${type}`, (part) => ({ ...part, type: [...new Set([part.type, type].flat())] })]
  }
  if (keyword === 'required') {
    const name: unknown = params.missingProperty
    return [
      `required ${name}`,
      (part) => withList(part, 'required', (names) => names.filter((one) => one !== name)),
    ]
  }
  if (keyword === 'enum' && before < MOST_VALUES) {
    return [`enum ${JSON.stringify(data)}`, (part) => withList(part, 'enum', (values) => [...values, data])]
  }
  return [keyword, ({ [keyword]: _, ...part }) => part]
}

function withList(part: Schema, keyword: string, change: (list: unknown[]) => unknown[]): Schema {
  const { [keyword]: list, ...rest } = part
  const changed = Array.isArray(list) ? change(list) : []
  return changed.length === 0 ? rest : { ...part, [keyword]: changed }
}

function loosened(schema: Schema, edits: Edits): Schema {
  const inner = mapInner(schema, (part) => {
    if (isSchema(part)) return loosened(part, edits)
    return part === false ? edits.has(part) : part
  })
  return [...(edits.get(schema)?.values() ?? [])].reduce<Schema>((part, edit) => edit(part), inner)
}

/** As JSON has it. */
function typeOf(value: unknown): string {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
