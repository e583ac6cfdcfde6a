import type { JsonSchema } from '../json-schema.ts'

/**
 * The TypeScript type of a JSON Schema, as far as TypeScript can express it; otherwise `unknown`. Also takes schemas
 * written by users.
 * @param nameOf the type of what a `$ref` points at
 */
export function typeText(schema: unknown, nameOf: (ref: string) => string | undefined, indent = ''): string {
  if (!isObject(schema)) return schema === false ? 'never' : 'unknown'
  if (typeof schema.$ref === 'string') return nameOf(schema.$ref) ?? 'unknown'
  if ('const' in schema) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
  const own = ownType(schema, nameOf, indent)
  const parts = [
    ...(own === 'unknown' ? [] : [own]),
    ...['anyOf', 'oneOf'].flatMap((word) => alternatives(schema[word], nameOf, indent)),
    ...listOf(schema.allOf).map((part) => typeText(part, nameOf, indent)),
  ]
  if (parts.length === 0) return 'unknown'
  return parts.length === 1 ? (parts[0] ?? 'unknown') : parts.map(inParentheses).join(' & ')
}

type NameOf = Parameters<typeof typeText>[1]

function alternatives(value: unknown, nameOf: NameOf, indent: string): readonly string[] {
  const all = listOf(value)
  return all.length === 0 ? [] : [union(all.map((one) => typeText(one, nameOf, indent)))]
}

/** The type without `anyOf`, `oneOf` and `allOf`. */
function ownType(schema: JsonSchema, nameOf: NameOf, indent: string): string {
  const types = listOf(schema.type ?? (schema.properties ? 'object' : undefined))
  return union(types.map((type) => ofType(type, schema, nameOf, indent)))
}

function ofType(type: unknown, schema: JsonSchema, nameOf: NameOf, indent: string): string {
  switch (type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return type
    case 'integer':
      return 'number'
    case 'array':
      return `${inParentheses(typeText(schema.items, nameOf, indent))}[]`
    case 'object':
      return objectText(schema, nameOf, indent)
    default:
      return 'unknown'
  }
}

/** The body of an interface. */
export function objectText(schema: JsonSchema, nameOf: NameOf, indent = ''): string {
  const inner = `${indent}  `
  const required = new Set(listOf(schema.required))
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = typeText(field, nameOf, inner)
    return `${comment(field, inner)}${inner}${keyText(name)}${required.has(name) ? '' : '?'}: ${type}\n`
  })
  const { additionalProperties: others = fields.length === 0 ? {} : false } = schema
  if (others === false)
    return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`
  const rest = typeText(others, nameOf, inner)
  if (fields.length === 0) return `Record<string, ${rest}>`
  // An index signature must be compatible with all fields.
  return `{\n${fields.join('')}${inner}[field: string]: unknown\n${indent}}`
}

function comment(schema: unknown, indent: string): string {
  const text = isObject(schema) ? schema.description : undefined
  return typeof text === 'string' && text !== '' ? `${indent}/** ${inComment(text)} */\n` : ''
}

/** Text from the data that cannot end the comment it is in. */
export function inComment(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')
}

/** The name of a field, quoted if necessary. */
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
  return different.join(' | ')
}

function inParentheses(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
