import type { ValidateFunction } from 'ajv'
import { ConfigError } from '../errors.ts'
import { isRow } from '../storage/is-row.ts'
import type { RowSchema } from '../storage/resource-rules.ts'
import type { Row } from '../storage/types.ts'
import { checkSchema } from './check-schema.ts'
import { fieldFaults } from './field-faults.ts'
import { fillIn, keepReadOnly } from './fill-in.ts'
import { loadAjv } from './load-ajv.ts'
import { Outline } from './outline.ts'
import { readTexts } from './read-texts.ts'

/** A schema of the user's, ready to check rows. */
export interface OpenedSchema {
  /** As written. */
  readonly json: Readonly<Record<string, unknown>>
  readonly rows: RowSchema
  /** Fields that it names. */
  readonly fields: readonly string[]
}

/**
 * Compiles a JSON Schema. Throws a one-line ConfigError that names the place and the remedy.
 * @param label the file or the setting that it comes from
 * @param added fields that the server adds, and the schema need not name
 */
export function openSchema(schema: unknown, label: string, added: readonly string[]): OpenedSchema {
  if (!isRow(schema))
    throw new ConfigError(`${label}: a schema must be an object. Write { "type": "object", … }.`)
  const ajv = loadAjv(schema.$schema, label)
  checkSchema(schema, label, new Set(Object.keys(ajv.formats)))
  const validate = compile(() => ajv.compile(schema), label)
  const outline = new Outline(schema)
  const unnamed = added.filter((name) => !outline.names.has(name))
  return {
    json: schema,
    fields: [...outline.names],
    rows: {
      readTexts: (fields, which) => readTexts(fields, which, outline),
      keepReadOnly: (row, old) => keepReadOnly(row, old, outline),
      fillIn: (row) => fillIn(row, outline),
      faultsOf: (row) => (validate(without(row, unnamed)) ? [] : fieldFaults(validate.errors ?? [])),
    },
  }
}

function compile(make: () => ValidateFunction, label: string): ValidateFunction {
  try {
    return make()
  } catch (cause) {
    const missing = cause instanceof Error ? Reflect.get(cause, 'missingRef') : undefined
    const why =
      typeof missing === 'string'
        ? `"$ref" leads nowhere: ${missing} is not in this schema. Copy it into $defs.`
        : `this is not a valid JSON Schema: ${cause instanceof Error ? cause.message.split('\n', 1)[0] : cause}.`
    throw new ConfigError(`${label}: ${why}`, { cause })
  }
}

function without(row: Row, names: readonly string[]): Row {
  if (names.length === 0) return row
  const rest = { ...row }
  for (const name of names) delete rest[name]
  return rest
}
