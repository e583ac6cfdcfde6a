import { attempt } from '../util/attempt.ts'
import { isObject } from './values.ts'

interface Part {
  readonly uri: string
  readonly root: unknown
  readonly anchors: Map<string, unknown>
  /** Dynamic anchors, which a referring schema may override. The empty one is the root. */
  readonly dynamic: Map<string, unknown>
}

/** The dynamic anchors on the way to a reference: the first of a name counts. */
export type Scope = ReadonlyMap<string, unknown>

export class SchemaDocument {
  readonly #parts = new Map<string, Part>()
  readonly #partOf = new Map<unknown, Part>()
  readonly #root: Part

  readonly root: unknown

  constructor(root: object) {
    this.root = root
    this.#root = this.#open(root, NOWHERE)
    this.#index(root, this.#root)
  }

  targetsOf(schema: Schema, scope: Scope = this.inside(this.root, new Map())): readonly unknown[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema
    return [
      ...(typeof $ref === 'string' ? this.#resolve($ref, schema) : []),
      ...(typeof $dynamicRef === 'string' ? this.#resolveInScope($dynamicRef, schema, scope) : []),
      ...(typeof $recursiveRef === 'string' ? this.#resolveInScope($recursiveRef, schema, scope) : []),
    ]
  }

  inside(schema: unknown, scope: Scope): Scope {
    const { dynamic } = this.#part(schema)
    const isNew = [...dynamic.keys()].some((name) => !scope.has(name))
    return isNew ? new Map([...dynamic, ...scope]) : scope
  }

  #resolve(ref: string, from: Schema): readonly unknown[] {
    const { uri } = this.#part(from)
    if (!URL.canParse(ref, uri)) return []
    const { href, hash } = new URL(ref, uri)
    const part = this.#parts.get(withoutFragment(href))
    const fragment = decoded(hash.slice(1))
    if (!part) return []
    const isPointer = fragment === '' || fragment.startsWith('/')
    const target = isPointer ? resolvePointer(part.root, hash || '#') : part.anchors.get(fragment)
    // It may be at a path that no keyword leads to.
    if (isSchema(target) && !this.#partOf.has(target)) this.#index(target, part)
    return target === undefined ? [] : [target]
  }

  #resolveInScope(ref: string, from: Schema, scope: Scope): readonly unknown[] {
    const [target] = this.#resolve(ref, from)
    const name = decoded(ref.slice(ref.indexOf('#') + 1))
    const isDynamic = target !== undefined && this.#part(target).dynamic.get(name) === target
    return isDynamic ? [scope.get(name) ?? target] : this.#resolve(ref, from)
  }

  #part(schema: unknown): Part {
    return this.#partOf.get(schema) ?? this.#root
  }

  #open(root: unknown, uri: string): Part {
    const part: Part = { uri, root, anchors: new Map(), dynamic: new Map() }
    if (!this.#parts.has(uri)) this.#parts.set(uri, part)
    return part
  }

  #index(schema: unknown, around: Part): void {
    if (!isSchema(schema) || this.#partOf.has(schema)) return
    const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema
    const part = typeof $id === 'string' ? this.#partFor($id, schema, around) : around
    this.#partOf.set(schema, part)
    for (const name of [$anchor, $dynamicAnchor]) if (typeof name === 'string') part.anchors.set(name, schema)
    if (typeof $dynamicAnchor === 'string') part.dynamic.set($dynamicAnchor, schema)
    if ($recursiveAnchor === true) part.dynamic.set('', schema)
    mapInner(schema, (inner) => {
      this.#index(inner, part)
    })
  }

  /** In draft 7, an id that is a fragment is an anchor. */
  #partFor(id: string, schema: Schema, around: Part): Part {
    if (id.startsWith('#')) {
      around.anchors.set(id.slice(1), schema)
      return around
    }
    if (!URL.canParse(id, around.uri)) return around
    return this.#open(schema, withoutFragment(new URL(id, around.uri).href))
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
