import type { ErrorObject, ValidateFunction } from 'ajv'
import type { FieldFault, RowSchema } from '../../core/engine/resource-rules.ts'
import { withoutFields } from '../../core/engine/rules/served-fields.ts'
import type { Row } from '../../core/engine/types.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { bytesUpTo } from '../../core/kernel/json/json-size.ts'
import { SchemaDocument } from '../../core/kernel/json/schema-document.ts'
import { notRequiring } from '../../core/kernel/json/schema-fields.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { checkSchema } from './check-schema.ts'
import { fieldFaults } from './field-faults.ts'
import { loadAjv, metaAjv } from './load-ajv.ts'
import { fillIn, keepReadOnly, Outline, readTexts } from './outline.ts'

export interface OpenedSchema {
  readonly json: Readonly<Record<string, unknown>>
  readonly rows: RowSchema
  readonly fields: readonly string[]
}

/**
 * Compiles a JSON Schema. Throws a one-line ConfigError that names the place and the remedy.
 * @param label the file or the setting that it comes from
 * @param added fields that the server adds: the schema need not list them, not even if it requires them
 * @param own fields that only the server sets: nothing is wrong with them that a client could correct
 */
export function openSchema(
  schema: unknown,
  label: string,
  added: readonly string[],
  own: readonly string[] = [],
): OpenedSchema {
  if (!isObject(schema))
    throw new ConfigError(`${label}: a schema must be an object. Write { "type": "object", … }.`)
  const meta = metaAjv(schema.$schema, label)
  checkSchema(schema, label, new Set(Object.keys(meta.formats)))
  if (!meta.validateSchema(schema)) throw misused(meta.errors ?? [], label)
  const ajv = loadAjv(schema.$schema, label, { isChecked: true })
  const outline = new Outline(new SchemaDocument(schema))
  const { names, listed } = outline
  const unlisted = added.filter((name) => !listed.has(name))
  const judging = notRequiring(schema, [...own, ...unlisted.filter((name) => names.has(name))])
  const fits = compile(() => ajv.compile(judging), label)
  let findAll: ValidateFunction | undefined
  const faultsOf = (row: Row): readonly FieldFault[] => {
    if (fits(row)) return []
    if (bytesUpTo(MOST_BYTES, row) > MOST_BYTES) return fieldFaults(fits.errors ?? [])
    findAll ??= loadAjv(schema.$schema, label, { allErrors: true, isChecked: true }).compile(judging)
    findAll(row)
    return fieldFaults(findAll.errors ?? [])
  }
  const unjudged = [...own, ...unlisted]
  return {
    json: schema,
    fields: [...names],
    rows: {
      readTexts: (fields, which) => readTexts(fields, which, outline),
      keepReadOnly: (row, old) => keepReadOnly(row, old, outline),
      fillIn: (row) => fillIn(row, outline),
      faultsOf: (row) => faultsOf(withoutFields(row, unjudged)),
    },
  }
}

/** Of a larger row, only the first fault is reported: millions of values may be wrong. */
export const MOST_BYTES = 100_000

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

function misused(errors: readonly ErrorObject[], label: string): ConfigError {
  const path = errors[0]?.instancePath ?? ''
  const [fault] = fieldFaults(errors)
  return new ConfigError(
    `${label}: at ${path === '' ? 'the top' : path}, the value ${fault?.message ?? 'is not valid'}. Correct it.`,
  )
}
