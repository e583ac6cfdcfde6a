import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { MANY, mapInner, NAMED, ONE, resolvePointer } from '../../core/kernel/json/schema-document.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { schemaPattern } from '../../core/kernel/patterns/schema-pattern.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'

/** Further keywords with a meaning, and those of other tools. */
const OTHERS = [
  ...['$anchor', '$comment', '$dynamicAnchor', '$dynamicRef', '$id', '$recursiveAnchor', '$recursiveRef'],
  ...['$ref', '$schema', '$vocabulary', 'const', 'contentEncoding', 'contentMediaType', 'default'],
  ...['dependentRequired', 'deprecated', 'description', 'enum', 'example', 'examples', 'exclusiveMaximum'],
  ...['exclusiveMinimum', 'externalDocs', 'format', 'id', 'maxContains', 'maxItems', 'maxLength'],
  ...['maxProperties', 'maximum', 'minContains', 'minItems', 'minLength', 'minProperties', 'minimum'],
  ...['multipleOf', 'nullable', 'pattern', 'readOnly', 'required', 'title', 'type', 'uniqueItems'],
  'writeOnly',
]

/** Keywords that a schema may have. */
export const KEYWORDS: ReadonlySet<string> = new Set([...ONE, ...MANY, ...NAMED, ...OTHERS])

export const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** Refuses what would silently check nothing: unknown keywords, types and formats, and references that lead nowhere. */
export function checkSchema(schema: unknown, label: string, formats: ReadonlySet<string>): void {
  const faultAt = (place: string, fault: string) =>
    new ConfigError(`${label}: ${place === '' ? 'at the top' : `at ${place}`}, ${fault}`)

  /** @param around what pointers begin at: the document, or the part of it with an id of its own */
  function check(node: unknown, place: string, around = schema): void {
    if (typeof node === 'boolean') return
    if (!isObject(node)) throw faultAt(place, 'there must be a schema: an object, true or false.')
    for (const key of Object.keys(node)) {
      if (KEYWORDS.has(key) || key.startsWith('x-')) continue
      throw faultAt(
        place,
        `there is no keyword "${key}". Correct it, or write "x-${key}" for a note of your own.`,
      )
    }
    for (const key of NAMED) {
      if (node[key] !== undefined && !isObject(node[key]))
        throw faultAt(`${place}/${key}`, 'there must be an object of schemas by name.')
    }
    const root = typeof node.$id === 'string' && !node.$id.startsWith('#') ? node : around
    checkValues(node, place, root)
    mapInner(node, (inner, pointer) => {
      const isListOfNames = pointer.startsWith('/dependencies/') && Array.isArray(inner)
      if (!isListOfNames) check(inner, place + pointer, root)
    })
  }

  function checkValues(node: Readonly<Record<string, unknown>>, place: string, root: unknown): void {
    const { type, format, pattern, $ref } = node
    for (const name of type === undefined ? [] : [type].flat()) {
      if (TYPES.includes(String(name))) continue
      throw faultAt(place, `there is no type ${JSON.stringify(name)}. Write one of ${TYPES.join(', ')}.`)
    }
    if (typeof format === 'string' && !formats.has(format)) {
      throw faultAt(place, `there is no format "${format}". Correct it, or use "pattern".`)
    }
    if (typeof pattern === 'string' && !attempt(() => schemaPattern(pattern))) {
      throw faultAt(place, `"pattern" is not a regular expression: ${pattern}. Correct it.`)
    }
    if (typeof $ref === 'string' && /^#(?:\/|$)/.test($ref) && resolvePointer(root, $ref) === undefined) {
      throw faultAt(place, `"$ref" leads nowhere: there is no ${$ref}. Correct it, or add that to $defs.`)
    }
  }

  check(schema, '')
}
