import type { JsonSchema } from '../../wings/schemas/json-schema.ts'

/** The TypeScript type of a JSON Schema, also of a user's; `unknown` where TypeScript cannot express it. */
export function typeText(schema: unknown): string {
  if (!isObject(schema)) return schema === false ? 'never' : 'unknown'
  if ('const' in schema) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
  const { $ref = '', anyOf, oneOf, required = [] } = schema
  const inPart = (part: unknown) => typeText(requiring(part, required))
  const parts = [
    ...($ref.startsWith(DEFINITIONS) ? [$ref.slice(DEFINITIONS.length)] : []),
    ownType(schema),
    ...[anyOf, oneOf].map((all) => union(listOf(all).map(inPart))),
    ...listOf(schema.allOf).map(inPart),
  ].filter((part) => part !== 'unknown')
  if (parts.length === 0) return 'unknown'
  return parts.length === 1 ? (parts[0] ?? 'unknown') : parts.map(inParentheses).join(' & ')
}

/** A reference to the type of this name. */
export function refTo(type: string): JsonSchema {
  return { $ref: `${DEFINITIONS}${type}` }
}

const DEFINITIONS = '#/$defs/'

/** A part of a schema with what the whole requires of the fields that only the part describes. */
function requiring(part: unknown, required: readonly string[]): unknown {
  if (!isObject(part)) return part
  const { properties = {} } = part
  const inner = required.filter((name) => Object.hasOwn(properties, name))
  return inner.length > 0 ? { ...part, required: [...(part.required ?? []), ...inner] } : part
}

function ownType(schema: JsonSchema): string {
  const types = listOf(schema.type ?? (schema.properties ? 'object' : undefined))
  return union(types.map((type) => ofType(type, schema)))
}

function ofType(type: unknown, schema: JsonSchema): string {
  switch (type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return type
    case 'integer':
      return 'number'
    case 'array':
      return listText(schema)
    case 'object':
      return objectText(schema)
    default:
      return 'unknown'
  }
}

/** A list, or a tuple: what need not be there is optional. */
function listText(schema: JsonSchema): string {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const first = listOf(schema.prefixItems).slice(0, Number(maxItems))
  const rest = `${inParentheses(typeText(items))}[]`
  if (first.length === 0) return rest
  const entries = first.map((entry, at) => {
    const type = typeText(entry)
    return at < Number(minItems) ? type : `${inParentheses(type)}?`
  })
  const isClosed = Object.is(items, false) || first.length >= Number(maxItems)
  return `[${[...entries, ...(isClosed ? [] : [`...${rest}`])].join(', ')}]`
}

export function objectText(schema: JsonSchema): string {
  const required = new Set(listOf(schema.required))
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = typeText(field)
    return {
      text: `\n${comment(field)}${keyText(name)}${required.has(name) ? '' : '?'}: ${type}`,
      type: required.has(name) ? [type] : [type, 'undefined'],
    }
  })
  const texts = fields.map(({ text }) => text).join('')
  const others = otherFields(schema, fields.length > 0).map(typeText)
  if (others.length === 0) return fields.length === 0 ? 'Record<string, never>' : `{${indented(texts)}\n}`
  if (fields.length === 0) return `Record<string, ${indented(union(others))}>`
  // An index signature must be compatible with all fields.
  const any = union([...others, ...fields.flatMap(({ type }) => type)])
  return `{${indented(`${texts}\n[field: string]: ${any}`)}\n}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** The types of unlisted fields. If some fields are listed and the schema says nothing else, there are none. */
function otherFields(schema: JsonSchema, isListed: boolean): readonly unknown[] {
  const { patternProperties, additionalProperties, unevaluatedProperties } = schema
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : []
  const isSilent = isListed || patterns.length > 0
  const rest: unknown = additionalProperties ?? unevaluatedProperties ?? (isSilent ? false : {})
  return rest === false ? patterns : [...patterns, rest]
}

export function isPlainObject(schema: JsonSchema): boolean {
  const isMore = ['$ref', 'allOf', 'anyOf', 'const', 'enum', 'oneOf'].some((word) =>
    Object.hasOwn(schema, word),
  )
  return schema.type === 'object' && !isMore && Object.keys(schema.properties ?? {}).length > 0
}

function comment(schema: unknown): string {
  const text = isObject(schema) ? schema.description : undefined
  return typeof text === 'string' && text !== '' ? `/** ${inComment(text)} */\n` : ''
}

/** Text from the data that cannot end the comment it is in. */
export function inComment(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')
}

export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function literal(value: unknown): string {
  const isPlain = value === null || ['string', 'boolean', 'number'].includes(typeof value)
  return isPlain ? JSON.stringify(value) : 'unknown'
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)]
  if (different.length === 0 || different.includes('unknown')) return 'unknown'
  const possible = different.filter((type) => type !== 'never')
  return possible.length === 0 ? 'never' : possible.map(inUnion).join(' | ')
}

function inParentheses(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type
}

function inUnion(type: string): string {
  return / & /.test(type) ? `(${type})` : type
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
