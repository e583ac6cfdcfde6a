import { foreignKey, listKey } from '../../core/engine/relations/relations.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fieldIn, typesOf } from './envelope.ts'
import type { Resource } from './find-resources.ts'
import type { SchemaBook } from './schema-book.ts'

export interface FoundReference {
  readonly field: string
  readonly resource: string
  readonly isList: boolean
  /** Whether the settings must name it: its name does not tell. */
  readonly differs: boolean
}

const SUFFIXES = ['Id', '_id'] as const

interface Keys {
  readonly suffix: string
  /** By resource. */
  readonly references: ReadonlyMap<string, readonly FoundReference[]>
}

/** The keys in the rows of resources, and the suffix that most of them have. */
export function findReferences(
  resources: readonly Resource[],
  book: SchemaBook,
  parents: ReadonlyMap<string, ReadonlySet<string>>,
): Keys {
  const counts = new Map<string, number>(SUFFIXES.map((suffix) => [suffix, 0]))
  const targets = new Map<
    string,
    { readonly target: Resource; readonly suffix: string; readonly isList: boolean }
  >()
  for (const target of resources) {
    if (target.kind !== 'collection') continue
    for (const suffix of SUFFIXES) {
      const naming = { id: target.id, foreignKeySuffix: suffix }
      targets.set(foreignKey(target.name, naming), { target, suffix, isList: false })
      targets.set(listKey(target.name, naming), { target, suffix, isList: true })
    }
  }
  const found = resources.map((resource) => {
    const fields = Object.entries(book.shallow(resource.row).properties ?? {})
    const keys = fields.flatMap(([field, schema]) => {
      const key = targets.get(field)
      if (!key || field === resource.id || !isObject(schema) || !canHold(book, schema, key)) return []
      counts.set(key.suffix, (counts.get(key.suffix) ?? 0) + 1)
      return [{ field, ...key }]
    })
    return [resource, keys] as const
  })
  const [suffix = 'Id'] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const references = found.map(([{ name, row }, keys]) => {
    const named = keys.map(({ field, target, isList, suffix: own }) => ({
      ...{ field, resource: target.name, isList, differs: own !== suffix },
    }))
    const nested = [...(parents.get(name) ?? [])].flatMap((parent) => {
      const field = foreignKey(parent, { id: 'id', foreignKeySuffix: suffix })
      const isThere = named.some((each) => each.field === field) || fieldIn(book, row, field) !== undefined
      return isThere ? [] : [{ field, resource: parent, isList: false, differs: false }]
    })
    return [name, [...named, ...nested]] as const
  })
  return { suffix, references: new Map(references) }
}

/** Whether a field can hold the id of a collection, or a list of them. */
function canHold(
  book: SchemaBook,
  field: JsonSchema,
  { target, isList }: { readonly target: Resource; readonly isList: boolean },
): boolean {
  const whole = book.shallow(field)
  const id = fieldIn(book, target.row, target.id)
  if (isList !== typesOf(whole).includes('array')) return false
  const holder = isList ? (isObject(whole.items) ? book.shallow(whole.items) : {}) : whole
  const kinds = (schema: JsonSchema) => typesOf(schema).map((type) => (type === 'integer' ? 'number' : type))
  return (
    id !== undefined &&
    kinds(book.shallow(id)).some((kind) => kind !== 'null' && kinds(holder).includes(kind))
  )
}
