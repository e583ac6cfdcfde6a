import type { FieldSchema } from '../client/field-schema.ts'
import { type FormField, toBlankField, toField, toMissingField } from './form-field.ts'
import type { Row } from './rows.ts'

/** Fields in one form. Some data has thousands, which the JSON editor takes. */
const MOST_FIELDS = 100

/**
 * The fields of a new row: those of the schema, without what the server sets, then those that another row has.
 * @param key the primary key, which the server makes
 */
export function newFields(template: Row, schemas: readonly FieldSchema[], key: string): readonly FormField[] {
  const known = byName(schemas)
  const names = new Set([...known.keys(), ...Object.keys(template)])
  return [...names]
    .filter((name) => name !== key && !known.get(name)?.isReadOnly)
    .slice(0, MOST_FIELDS)
    .map((name) => toBlankField(name, template[name], known.get(name)))
}

/** The fields of a row, and those that it lacks. Without the id, which cannot be changed. */
export function fieldsOfRow(row: Row, schemas: readonly FieldSchema[], key?: string): readonly FormField[] {
  const known = byName(schemas)
  const own = Object.entries(row)
    .filter(([name]) => name !== key)
    .map(([name, value]) => toField(name, value, known.get(name)))
  const missing = schemas.filter(
    ({ name, isReadOnly }) => !isReadOnly && name !== key && !Object.hasOwn(row, name),
  )
  return [...own, ...missing.slice(0, Math.max(0, MOST_FIELDS - own.length)).map(toMissingField)]
}

export function byName(schemas: readonly FieldSchema[]): ReadonlyMap<string, FieldSchema> {
  return new Map(schemas.map((schema) => [schema.name, schema]))
}
