import { createHash } from 'node:crypto'
import { fold, keyOf, toText } from '../../kernel/catalogue/text.ts'
import { isObject } from '../../kernel/json/values.ts'
import { Column } from '../data/index.ts'
import type { ReferenceRule, ResourceRules, RowSchema, Rules } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import { faultsBesides, withoutFields } from './served-fields.ts'

export interface UniqueFields {
  readonly fields: readonly string[]
  readonly column: KeyColumn
}

export interface CompiledReference extends ReferenceRule {
  readonly collection: string
  readonly field: string
  readonly column: KeyColumn
}

export interface RuleSet extends Omit<ResourceRules, 'unique' | 'uniqueInAnyCase' | 'references'> {
  readonly fieldNames: ReadonlySet<string>
  readonly unique: readonly UniqueFields[]
  readonly references: readonly CompiledReference[]
}

export class CompiledRules {
  readonly now: () => Date
  readonly #ruled = new Map<string, RuleSet>()
  readonly #references: readonly CompiledReference[]

  constructor({ resources, now }: Rules) {
    this.now = now
    for (const [name, rules] of resources) this.#ruled.set(name, compile(name, rules))
    this.#references = [...this.#ruled.values()].flatMap(({ references }) => references)
  }

  of(resource: string): RuleSet | undefined {
    return this.#ruled.get(resource)
  }

  referencesTo(collection: string): readonly CompiledReference[] {
    return this.#references.filter(({ resource }) => resource === collection)
  }
}

function compile(collection: string, settings: ResourceRules): RuleSet {
  const { unique = [], uniqueInAnyCase = [], references = {}, ...rules } = settings
  const { fields = [], hidden = [], computed = {}, timestamps } = rules
  const stamps = timestamps ? [timestamps.created, timestamps.updated] : []
  const named = [...fields, ...Object.keys(references), ...unique.flat(), ...stamps, ...Object.keys(computed)]
  return {
    ...rules,
    schema: rules.schema && besidesComputed(rules.schema, Object.keys(computed)),
    fieldNames: new Set(named.filter((name) => !hidden.includes(name))),
    unique: [
      ...unique.map((fields) => ({ fields, column: uniqueColumn(fields) })),
      ...uniqueInAnyCase.map((field) => ({ fields: [field], column: anyCaseColumn(field) })),
    ],
    references: Object.entries(references).map(([field, rule]) => {
      return { ...rule, collection, field, column: referenceColumn(field) }
    }),
  }
}

/** Clients cannot send computed fields: the schema neither requires nor refuses them. */
function besidesComputed(schema: RowSchema, computed: readonly string[]): RowSchema {
  if (computed.length === 0) return schema
  const faultsOf = (row: Row) => faultsBesides(computed, schema.faultsOf(withoutFields(row, computed)))
  return { ...schema, faultsOf }
}

export type KeyColumn = Column<string>

/** Rows by what `textOf` makes of the values of some fields. A row has no key if any of them is null or missing. */
function uniqueColumn(fields: readonly string[], kind = 'unique', textOf = keyText): KeyColumn {
  return new Column(`${kind} ${JSON.stringify(fields)}`, (row) => {
    const texts: string[] = []
    for (const field of fields) {
      const value = valueAt(row, field)
      if (value === undefined || value === null) return []
      texts.push(textOf(value))
    }
    const [only] = texts
    return only !== undefined && texts.length === 1 ? [only] : [JSON.stringify(texts)]
  })
}

export function anyCaseColumn(field: string): KeyColumn {
  return uniqueColumn([field], 'any case', anyCaseKey)
}

export function anyCaseKey(value: unknown): string {
  return keyText(fold(toText(value)))
}

/** Rows by the ids in a field: its value, or the entries of a list. */
function referenceColumn(field: string): KeyColumn {
  return new Column(`reference ${field}`, (row) => [...new Set(idsIn(row, field))])
}

export function idsIn(row: Row, field: string): readonly string[] {
  const value = valueAt(row, field)
  if (Array.isArray(value)) return value.flatMap((entry) => idIn(entry))
  return idIn(value)
}

export function idIn(value: unknown): readonly string[] {
  return value === undefined || value === null ? [] : [keyText(value)]
}

/** Own fields only: every object inherits a `constructor`. */
export function valueAt(row: unknown, path: string): unknown {
  if (!isObject(row)) return undefined
  if (Object.hasOwn(row, path)) return row[path]
  if (!path.includes('.')) return undefined
  const step = (here: unknown, part: string) =>
    isObject(here) && Object.hasOwn(here, part) ? here[part] : undefined
  return path.split('.').reduce<unknown>(step, row)
}

export function withValueAt(row: Row, path: string, value: unknown): Row {
  const dot = path.indexOf('.')
  if (dot === -1 || Object.hasOwn(row, path)) return { ...row, [path]: value }
  const [first, rest] = [path.slice(0, dot), path.slice(dot + 1)]
  const inner = row[first]
  return isObject(inner) ? { ...row, [first]: withValueAt(inner, rest, value) } : row
}

/** As filters compare, except that objects differ. Long texts are hashed: comparing them as map keys is slow. */
function keyText(value: unknown): string {
  const text = hasObject(value) ? JSON.stringify(value, inOrder) : value
  return keyOf(text) ?? `sha256 ${createHash('sha256').update(toText(text)).digest('base64')}`
}

function hasObject(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(hasObject))
}

function inOrder(_name: string, value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
}
