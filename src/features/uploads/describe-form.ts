import { BODY_WRITES } from '../../core/kernel/catalogue/operation-kinds.ts'
import { isObject } from '../../core/kernel/json/values.ts'

export const FORM_ERRORS = ['MALFORMED_FORM', 'FILE_TOO_LARGE', 'FILE_TYPE'] as const

/** Operations that take a form: of one row each. */
export const FORM_KINDS = BODY_WRITES.filter((kind) => kind !== 'patchMany')

const BYTES = { type: 'string', contentMediaType: 'application/octet-stream' }

/** The schema of a form: fields with files are bytes. */
export function formSchema({
  properties = {},
}: {
  readonly properties?: Readonly<Record<string, unknown>>
}): object {
  const fields = Object.entries(properties).map(([name, schema]) => [name, fieldSchema(schema)] as const)
  const description =
    'A part with a file name, or of another type than text, is a file. Any field may have one.'
  return { type: 'object', description, properties: Object.fromEntries(fields) }
}

function fieldSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  if (isObject(schema.items) && isFile(schema.items)) return { type: 'array', items: BYTES }
  return isFile(schema) ? BYTES : schema
}

function isFile({ properties }: Record<string, unknown>): boolean {
  return (
    isObject(properties) && ['url', 'name', 'type', 'size'].every((name) => Object.hasOwn(properties, name))
  )
}
