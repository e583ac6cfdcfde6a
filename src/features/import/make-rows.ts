import { singularOf } from '../../core/engine/relations/relations.ts'
import type { Row } from '../../core/engine/types.ts'
import { toText } from '../../core/kernel/catalogue/text.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { Random } from '../../core/kernel/util/random.ts'
import type { RowKey } from '../../wings/making/keys.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { typesOf } from './envelope.ts'
import { exampleOfFields, examplesOf } from './examples.ts'
import type { Resource } from './find-resources.ts'
import type { Making } from './making.ts'
import { asMeant, MEANING } from './meanings.ts'
import type { FoundReference } from './references.ts'
import type { SchemaBook } from './schema-book.ts'

/** Faults of a row. */
export type Judge = (row: Row) => readonly { readonly path: string; readonly message: string }[]

export interface PlannedRows {
  readonly resource: Resource
  readonly row: JsonSchema
  readonly references: readonly FoundReference[]
  readonly judge: Judge
}

export interface RowsOf {
  readonly rows: readonly Row[]
  readonly examples: number
  readonly made: number
  /** Values of examples that did not fit. */
  readonly replaced: number
  /** Keys in examples that point nowhere. */
  readonly dangling: number
  /** Why no row could be made. */
  readonly fault: string | undefined
}

export interface MakeOptions {
  readonly count: number
  readonly seed: number
}

const TRIES = 5

/** Rows of all resources: those of examples, then made ones. Parents come first; the ids of all are known before. */
export async function makeRows(
  plans: readonly PlannedRows[],
  book: SchemaBook,
  making: Making,
  { count, seed }: MakeOptions,
): Promise<ReadonlyMap<string, RowsOf>> {
  const begun = new Map(plans.map((plan) => [plan.resource.name, begin(plan)]))
  const done = new Map<string, RowsOf>()
  for (const plan of parentsFirst(plans)) {
    const { name } = plan.resource
    done.set(name, await finish(plan, begun.get(name) ?? { given: [], ids: [], isOfFields: false }))
  }
  return new Map(plans.map(({ resource: { name } }) => [name, done.get(name) ?? NOTHING]))

  /** The examples of a resource, and the ids of its rows. */
  function begin({ resource, row }: PlannedRows) {
    const { kind, id } = resource
    const random = new Random(`${seed} ${resource.name} ids`)
    const byId = new Map<string, Row>()
    const nameless: Row[] = []
    for (const example of examplesOf(resource, book)) {
      const value = example[id]
      if (kind === 'object' || value === undefined || value === null) nameless.push(example)
      else if (!byId.has(toText(value))) byId.set(toText(value), example)
    }
    const ofFields = exampleOfFields(book, row)
    const isOfFields = byId.size + nameless.length === 0 && Object.keys(ofFields).length > 0
    const given = [...byId.values(), ...nameless, ...(isOfFields ? [ofFields] : [])]
    if (kind === 'object') return { given, ids: [], isOfFields }
    const ids = given.flatMap((each) => (each[id] === undefined || each[id] === null ? [] : [each[id]]))
    const total = Math.max(count, given.length)
    const taken = new Set(ids.map(toText))
    for (const next of idsFor(resource, row, random)) {
      if (ids.length >= total) break
      if (next === undefined || next === null || taken.has(toText(next))) continue
      taken.add(toText(next))
      ids.push(next)
    }
    return { given, ids, isOfFields }
  }

  /** Ids that a row may have: at most a thousand tries of those that are drawn. */
  function* idsFor({ id, name }: Resource, row: JsonSchema, random: Random): Generator<unknown> {
    const field = row.properties?.[id]
    const { examples: _, ...schema } = isObject(field) ? book.shallow(field) : {}
    const { minimum, format, pattern, enum: values, minLength, maxLength } = schema
    const types = typesOf(schema)
    if (Array.isArray(values)) yield* values
    else if (types.includes('integer') || types.includes('number') || types.length === 0) {
      const least = Math.ceil(Math.max(1, typeof minimum === 'number' ? minimum : 1))
      for (let next = least; ; next++) yield next
    } else {
      const isFree = [format, pattern, minLength, maxLength].every((each) => each === undefined)
      const isMeant = asMeant(schema, id, name, 'string')[MEANING] !== undefined
      for (let next = 1; isFree && !isMeant; next++) yield `${singularOf(name)}-${next}`
      for (let tries = 0; tries < 1000 + 10 * count; tries++) {
        yield making.value(schema, id, `${seed} ${name} ${random.below(2 ** 30)} ${tries}`)
      }
    }
  }

  async function finish(
    plan: PlannedRows,
    { given, ids, isOfFields }: ReturnType<typeof begin>,
  ): Promise<RowsOf> {
    const { resource, row, judge } = plan
    const { id, kind, name } = resource
    const make = await making.rows(name, id, row, keysOf(plan), judge)
    const random = new Random(`${seed} ${name}`)
    const total = kind === 'object' ? 1 : Math.min(ids.length, Math.max(count, given.length))
    const rows: Row[] = []
    let replaced = 0
    let fault: string | undefined
    for (let at = 0; at < total; at++) {
      const example = given[at]
      const own = kind === 'object' ? {} : { [id]: ids[at] }
      const sent = example ? { ...example, ...own } : own
      let made = isOfFields || !example ? make(random, sent) : sent
      let faults = judge(made)
      for (let tries = 0; faults.length > 0 && tries < TRIES; tries++) {
        const wrong = new Set(faults.map(({ path }) => path.split('.', 1)[0] ?? ''))
        if (example && tries === 0) replaced += wrong.size
        const kept = Object.entries(sent).filter(
          ([field]) => field === id || (!wrong.has(field) && !wrong.has('')),
        )
        made = make(random, Object.fromEntries(example ? kept : Object.entries(own)))
        faults = judge(made)
      }
      const [first] = faults
      if (first) fault ??= `${first.path || 'the row'} ${first.message}`
      else rows.push(withoutUndefined(made))
    }
    const examples = Math.min(given.length, rows.length)
    const counted = { examples, made: rows.length - examples, replaced, dangling: danglingIn(plan, given) }
    return { rows, ...counted, fault: rows.length === 0 && total > 0 ? fault : undefined }
  }

  function keysOf({ resource, references, row }: PlannedRows): ReadonlyMap<string, RowKey> {
    const keys = references.flatMap(({ field, resource: target }): [string, RowKey][] => {
      const ids = begun.get(target)?.ids ?? []
      const made = done.get(target)
      const parents = made ? made.rows.flatMap((each) => [each[idOf(target)] ?? []].flat()) : ids
      const isLater = made === undefined
      const mayBeNull = typesOf(book.shallow(row.properties?.[field] ?? {})).includes('null')
      if (parents.length === 0 || resource.kind === 'object') return []
      return [[field, { parents: isLater && mayBeNull ? [] : parents, used: [], isUnique: false }]]
    })
    return new Map(keys)
  }

  function danglingIn({ references }: PlannedRows, given: readonly Row[]): number {
    const open = references.flatMap(({ field, resource: target }) => {
      const ids = new Set(begun.get(target)?.ids.map(toText))
      const used = given.flatMap((each) => [each[field] ?? []].flat())
      return used.filter((key) => !ids.has(toText(key)))
    })
    return open.length
  }

  function idOf(name: string): string {
    return plans.find(({ resource }) => resource.name === name)?.resource.id ?? 'id'
  }
}

const NOTHING: RowsOf = { rows: [], examples: 0, made: 0, replaced: 0, dangling: 0, fault: undefined }

/** In an order in which references lead back, where that is possible. */
function parentsFirst(plans: readonly PlannedRows[]): readonly PlannedRows[] {
  const byName = new Map(plans.map((plan) => [plan.resource.name, plan]))
  const ordered = new Set<PlannedRows>()
  const visiting = new Set<PlannedRows>()
  const visit = (plan: PlannedRows): void => {
    if (ordered.has(plan) || visiting.has(plan)) return
    visiting.add(plan)
    for (const { resource } of plan.references) {
      const parent = byName.get(resource)
      if (parent) visit(parent)
    }
    ordered.add(plan)
  }
  for (const plan of plans) visit(plan)
  return [...ordered]
}

function withoutUndefined(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}
