import { attempt } from '../util/attempt.ts'
import { isObject } from './values.ts'

/** A schema with the targets of its references. A dynamic one leads to its anchor, whatever refers to the document. */
export class SchemaDocument {
  readonly root: unknown
  /** Parts that have an id or an anchor, by their URIs. */
  readonly #byUri = new Map<string, unknown>()
  /** The URI that references in a part are relative to. */
  readonly #baseOf = new Map<unknown, string>()

  constructor(root: object) {
    this.root = root
    this.#byUri.set(NOWHERE, root)
    this.#index(root, NOWHERE)
  }

  targetsOf(schema: Schema): readonly unknown[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema
    const base = this.#baseOf.get(schema) ?? NOWHERE
    return [$ref, $dynamicRef, $recursiveRef].flatMap((ref) => {
      const target = typeof ref === 'string' ? this.#resolve(ref, base) : undefined
      return target === undefined ? [] : [target]
    })
  }

  #resolve(ref: string, base: string): unknown {
    if (!URL.canParse(ref, base)) return undefined
    const { href, hash } = new URL(ref, base)
    const uri = withoutFragment(href)
    const fragment = decoded(hash.slice(1))
    const isPointer = fragment === '' || fragment.startsWith('/')
    const target = isPointer
      ? resolvePointer(this.#byUri.get(uri), hash || '#')
      : this.#byUri.get(`${uri}#${fragment}`)
    // It may be at a path that no keyword leads to.
    this.#index(target, uri)
    return target
  }

  #index(schema: unknown, around: string): void {
    if (!isSchema(schema) || this.#baseOf.has(schema)) return
    const { $id, $anchor, $dynamicAnchor } = schema
    // In draft 7, an id that is a fragment is an anchor.
    const isNamed = typeof $id === 'string' && URL.canParse($id, around)
    const uri = isNamed ? new URL($id, around).href.replace(/#$/, '') : around
    const base = withoutFragment(uri)
    const anchors = [$anchor, $dynamicAnchor].filter((name) => typeof name === 'string')
    for (const name of [uri, ...anchors.map((anchor) => `${base}#${anchor}`)])
      if (!this.#byUri.has(name)) this.#byUri.set(name, schema)
    this.#baseOf.set(schema, base)
    mapInner(schema, (inner) => this.#index(inner, base))
  }
}

const NOWHERE = 'https://schema.invalid/'

export function resolvePointer(root: unknown, pointer: string): unknown {
  const steps = pointer.replace(/^#\/?/, '').split('/')
  if (pointer === '#' || pointer === '#/') return root
  return steps.reduce<unknown>((here, step) => {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(here)) return here[Number(name)]
    return typeof here === 'object' && here !== null && Object.hasOwn(here, name)
      ? Reflect.get(here, name)
      : undefined
  }, root)
}

function withoutFragment(uri: string): string {
  return uri.split('#', 1)[0] ?? ''
}

function decoded(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text
}

/** Keywords of all drafts whose value is a schema, a list of schemas, or schemas by name. */
export const ONE = [
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not'],
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
]
export const MANY = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
export const NAMED = [
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
]

export type Schema = Readonly<Record<string, unknown>>

/** Maps each schema directly inside, with a pointer to it. Data, such as the values of `enum`, stays. */
export function mapInner(schema: Schema, change: (inner: unknown, pointer: string) => unknown): Schema {
  return mapValues(schema, (value, keyword) => {
    const at = `/${keyword}`
    if (NAMED.includes(keyword) && isSchema(value))
      return mapValues(value, (one, name) => change(one, `${at}/${escaped(name)}`))
    if (MANY.includes(keyword) && Array.isArray(value))
      return value.map((one, index) => change(one, `${at}/${index}`))
    return ONE.includes(keyword) ? change(value, at) : value
  })
}

function mapValues(object: Schema, change: (value: unknown, name: string) => unknown): Schema {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function isSchema(value: unknown): value is Schema {
  return isObject(value)
}
