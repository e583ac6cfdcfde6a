import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import type { FieldSchema } from '../client/field-schema.ts'

/** The collection that a field refers to: by an id, or by a list of ids. */
export interface Key {
  readonly resource: string
  readonly isList: boolean
}

export type Id = string | number

/** The keys of a resource by field, those that only its schema declares included. */
export function keysOf(
  { relations, lists = [], references = [] }: Pick<ResourceInfo, 'relations' | 'lists' | 'references'>,
  schemas: readonly FieldSchema[] = [],
): ReadonlyMap<string, Key> {
  return new Map<string, Key>([
    ...schemas.flatMap(declaredKey),
    ...references.map(({ field, ...key }) => [field, key] as const),
    ...lists.map(({ field, resource }) => [field, { resource, isList: true }] as const),
    ...relations.map(({ field, resource }) => [field, { resource, isList: false }] as const),
  ])
}

/** The ids in the value of a key; undefined if it holds something else. */
export function idsIn({ isList }: Key, value: unknown): readonly Id[] | undefined {
  const ids = isList ? value : [value]
  return Array.isArray(ids) && ids.length <= MOST_IDS && ids.every(isId) ? ids : undefined
}

/** A longer list is shown as JSON. */
const MOST_IDS = 200

export function isId(value: unknown): value is Id {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

function declaredKey({ name, references, schema }: FieldSchema): readonly (readonly [string, Key])[] {
  if (references !== undefined) return [[name, { resource: references, isList: false }]]
  const inner = isObject(schema.items) ? schema.items['x-references'] : undefined
  return typeof inner === 'string' ? [[name, { resource: inner, isList: true }]] : []
}
