import { NAMED, ONE } from '../../core/kernel/json/schema-document.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { schemaPattern } from '../../core/kernel/patterns/schema-pattern.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { freeName } from '../../core/kernel/util/free-name.ts'
import { merged } from '../../wings/schemas/combined.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { KEYWORDS, TYPES } from '../../wings/validation/check-schema.ts'
import { metaAjv } from '../../wings/validation/load-ajv.ts'
import type { ApiDocument, DocumentNode } from './api-document.ts'

/** Keywords of other documents, of OpenAPI 3.0, and of references that are resolved here. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...[
    '$anchor',
    '$comment',
    '$defs',
    '$dynamicAnchor',
    '$dynamicRef',
    '$id',
    '$recursiveAnchor',
    '$recursiveRef',
  ],
  ...[
    '$schema',
    '$vocabulary',
    'additionalItems',
    'definitions',
    'example',
    'externalDocs',
    'id',
    'nullable',
  ],
])
/** A note of the fields that are required and read-only. */
export const SERVED = 'x-served'
const TEXTS = ['description', 'title']
const SWITCHES = ['deprecated', 'readOnly', 'uniqueItems', 'writeOnly']
const COUNTS = ['maxContains', 'maxItems', 'maxLength', 'maxProperties']
const LEAST = ['minContains', 'minItems', 'minLength', 'minProperties']
const NUMBERS = ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf']
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Schemas of a description as JSON Schema 2020-12. Each that has a name is translated once, and stays a reference. */
export class SchemaBook {
  readonly #document: ApiDocument
  readonly #names = new Map<string, string>()
  readonly #definitions = new Map<string, JsonSchema>()
  readonly #formats = new Set(Object.keys(metaAjv(undefined, 'import').formats))
  readonly #shallow = new WeakMap<JsonSchema, JsonSchema>()
  /** Keywords that were left out, by place. */
  readonly notes = new Map<string, string>()
  /** References that lead nowhere, as they were written. */
  readonly lost = new Map<string, string>()

  constructor(document: ApiDocument) {
    this.#document = document
  }

  /** @param place for the report */
  translate(node: unknown, place: string): JsonSchema {
    if (!isObject(node)) return {}
    const { $ref } = node
    const own = this.#translateOwn(node, place)
    if (typeof $ref !== 'string') return own
    const named = { $ref: `#/$defs/${this.#define($ref)}` }
    if (node.nullable === true || node['x-nullable'] === true) return { anyOf: [named, { type: 'null' }] }
    return { ...own, ...named }
  }

  #define(ref: string): string {
    const known = this.#names.get(ref)
    if (known !== undefined) return known
    const target = this.#document.target(ref)
    const [, last = ''] = /([^/]*?)(?:\.\w+)?$/.exec(ref) ?? []
    const wanted = last.replace(/[^\w-]+/g, '-') || 'schema'
    const isTaken = (name: string) => this.#definitions.has(name) || name === '__proto__'
    const name = freeName(wanted, isTaken, '-')
    this.#names.set(ref, name)
    this.#definitions.set(name, {})
    if (target === undefined) this.lost.set(`#/$defs/${name}`, ref)
    else this.#definitions.set(name, this.translate(target, ref))
    return name
  }

  #translateOwn(node: DocumentNode, place: string): JsonSchema {
    const schema: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(node)) {
      if (LEFT_OUT.has(key) || !KEYWORDS.has(key) || key === '$ref') continue
      const translated = this.#keyword(key, value, node, `${place}/${key}`)
      if (translated !== undefined) schema[key] = translated
    }
    const served = this.#servedFields(node)
    if (served.length > 0) schema[SERVED] = served
    if (node.example !== undefined && schema.examples === undefined) schema.examples = [node.example]
    // A file of Swagger 2.0.
    if (node.type === 'file') Object.assign(schema, { type: 'string', format: 'binary' })
    const isNullable = node.nullable === true || node['x-nullable'] === true
    return isNullable ? withNull(schema) : schema
  }

  /** The value of a keyword; undefined if it has none that a validator would take. */
  #keyword(key: string, value: unknown, node: DocumentNode, place: string): unknown {
    const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined
    if (key === 'type') {
      const types = [...new Set([value].flat())].filter((type) => TYPES.includes(String(type)))
      return types.length > 1 ? types : types[0]
    }
    if (key === 'required') return this.#required(list, node)
    if (key === 'enum') return list && list.length > 0 ? distinct(list) : undefined
    if (key === 'examples') return list
    if (key === 'format' || key === 'pattern') return this.#checked(key, value, place)
    if (key === 'minimum' || key === 'maximum') {
      const isExclusive = node[key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'] === true
      return isExclusive ? undefined : numberOf(value)
    }
    if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') {
      return numberOf(value === true ? node[key === 'exclusiveMinimum' ? 'minimum' : 'maximum'] : value)
    }
    if (key === 'multipleOf') return typeof value === 'number' && value > 0 ? value : undefined
    if (NUMBERS.includes(key)) return numberOf(value)
    if (COUNTS.includes(key) || LEAST.includes(key))
      return Number.isInteger(value) && Number(value) >= 0 ? value : undefined
    if (TEXTS.includes(key)) return typeof value === 'string' ? value : undefined
    if (SWITCHES.includes(key)) return typeof value === 'boolean' ? value : undefined
    if (LISTS.includes(key)) {
      return list && list.length > 0 ? list.map((one, at) => this.#inner(one, `${place}/${at}`)) : undefined
    }
    if (key === 'items' && list) return undefined
    if (NAMED.includes(key) && key !== 'dependencies') {
      if (!isObject(value)) return undefined
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, this.#inner(one, `${place}/${name}`)]),
      )
    }
    if (key === 'dependencies') return undefined
    return ONE.includes(key) ? this.#inner(value, place) : value
  }

  #inner(value: unknown, place: string): JsonSchema | boolean {
    return typeof value === 'boolean' ? value : this.translate(value, place)
  }

  /** Without fields that a client may not send, and those that no answer has. */
  #required(list: readonly unknown[] | undefined, node: DocumentNode): readonly string[] | undefined {
    const names = [...new Set(list)].filter((name) => typeof name === 'string')
    const kept = names.filter(
      (name) => !this.#has(node, name, 'readOnly') && !this.#has(node, name, 'writeOnly'),
    )
    return kept.length > 0 ? kept : undefined
  }

  /** Fields that every answer has, and no request. */
  #servedFields(node: DocumentNode): readonly string[] {
    const names = Array.isArray(node.required) ? node.required.filter((name) => typeof name === 'string') : []
    return names.filter((name) => this.#has(node, name, 'readOnly'))
  }

  #has({ properties }: DocumentNode, name: string, key: 'readOnly' | 'writeOnly'): boolean {
    const isThere = isObject(properties) && Object.hasOwn(properties, name)
    return isThere && this.#document.object(properties[name])[key] === true
  }

  #checked(key: 'format' | 'pattern', value: unknown, place: string): string | undefined {
    if (typeof value !== 'string') return undefined
    if (value === 'binary') this.notes.set(place, 'files are stored only with the setting "uploads"')
    const isGood =
      key === 'format' ? this.#formats.has(value) : attempt(() => schemaPattern(value)) !== undefined
    if (isGood) return value
    this.notes.set(place, `the ${key} "${value}" is not known, and left out`)
    return undefined
  }

  /** A reference in a schema, or in what it leads to, that leads nowhere. */
  lostIn(schema: JsonSchema): string | undefined {
    const names = Object.keys(this.#needed(schema)).map((name) => `#/$defs/${name}`)
    return names.map((name) => this.lost.get(name)).find((ref) => ref !== undefined)
  }

  /** With the definitions that it leads to. */
  whole(schema: JsonSchema): JsonSchema {
    const $defs = this.#needed(schema)
    return Object.keys($defs).length === 0 ? schema : { ...schema, $defs }
  }

  #needed(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
    const needed = new Map<string, JsonSchema>()
    const rest: unknown[] = [schema]
    while (rest.length > 0) {
      const next = rest.pop()
      if (Array.isArray(next)) rest.push(...next)
      else if (isObject(next)) {
        const name = typeof next.$ref === 'string' ? next.$ref.slice('#/$defs/'.length) : undefined
        if (name !== undefined && !needed.has(name)) {
          const definition = this.#definitions.get(name) ?? {}
          needed.set(name, definition)
          rest.push(definition)
        }
        rest.push(...Object.values(next))
      }
    }
    return Object.fromEntries([...needed].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A schema whose own keywords say what is in it: its reference followed, its `allOf` merged. Fields stay as they are. */
  shallow(schema: JsonSchema, seen: readonly string[] = []): JsonSchema {
    const known = this.#shallow.get(schema)
    if (known) return known
    const { $ref, ...own } = schema
    let whole: JsonSchema = own
    if ($ref !== undefined) {
      if (seen.includes($ref)) return own
      const target = this.shallow(this.#definitions.get($ref.slice('#/$defs/'.length)) ?? {}, [...seen, $ref])
      whole = Object.keys(own).length === 0 ? target : merged({ ...own, allOf: [target, ...partsOf(own)] })
    } else if (Array.isArray(own.allOf)) {
      whole = merged({ ...own, allOf: partsOf(own).map((part) => this.shallow(part, seen)) })
    }
    const [only, ...others] = alternatives(whole)
    // `anyOf` of one thing and null is that thing, which may be null.
    if (only && others.length === 0) whole = onlyOf(whole, this.shallow(only, seen))
    if (seen.length === 0) this.#shallow.set(schema, whole)
    return whole
  }
}

function partsOf({ allOf }: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(allOf) ? allOf.filter(isObject) : []
}

/** Branches of `anyOf` and `oneOf` that are not merely null. */
export function alternatives({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  const all = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []))
  return all.filter(({ type }) => type !== 'null')
}

/** A schema whose alternatives are one, and maybe null. */
function onlyOf({ anyOf, oneOf, ...own }: JsonSchema, only: JsonSchema): JsonSchema {
  const whole = Object.keys(own).length === 0 ? only : merged({ ...own, allOf: [only] })
  const isNullable = [anyOf, oneOf].flat().some((each) => isObject(each) && each.type === 'null')
  return isNullable && whole.type !== undefined ? withNull(whole) : whole
}

function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  if (type === undefined) {
    const isCombined = ['allOf', 'anyOf', 'oneOf'].some((key) => schema[key] !== undefined)
    return isCombined ? { anyOf: [schema, { type: 'null' }] } : schema
  }
  return {
    ...schema,
    type: [...new Set([type, 'null' as const].flat())],
    ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
  }
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]))
  return [...byText.values()]
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
