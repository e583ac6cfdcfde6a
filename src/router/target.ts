import type { Request } from 'express'
import type { Catalog } from '../storage/engine/engine.ts'
import type { Within } from '../storage/question.ts'
import { foreignKey } from '../storage/relations/relations.ts'
import { MALFORMED_URL, RequestError } from './request-error.ts'

export type Target =
  | { readonly kind: 'collection'; readonly name: string }
  | { readonly kind: 'item'; readonly name: string; readonly id: string }
  | { readonly kind: 'object'; readonly name: string }
  | {
      readonly kind: 'children'
      readonly parent: string
      readonly id: string
      readonly name: string
      readonly isCollection: boolean
    }
  /** `/companies/9/products/10`: a 404 unless the item belongs to that parent. */
  | {
      readonly kind: 'child'
      readonly parent: string
      readonly parentId: string
      readonly name: string
      readonly id: string
    }

/** `GET /db` */
export const DATABASE = /^\/db\/?$/i

export function findTarget(catalog: Catalog, path: string): Target | undefined {
  const segments = path.split('/')
  // A trailing slash is ignored, and a double one, as in `${base}/${id}` with a base that ends in one.
  if (segments.at(-1) === '') segments.pop()
  if (segments[2] === '' && segments.length <= 4) segments.splice(2, 1)
  if (segments.length < 2 || segments.length > 5 || segments.indexOf('', 1) > 0) return undefined
  const [, first = '', second, third, fourth] = path.includes('%') ? segments.map(decode) : segments

  if (third !== undefined && second !== undefined) {
    const name = servedName(catalog, third)
    if (name === undefined) return undefined
    const isCollection = catalog.kindOf(name) === 'collection'
    const parent = servedName(catalog, first) ?? first
    if (fourth !== undefined) {
      return isCollection ? { kind: 'child', parent, parentId: second, name, id: fourth } : undefined
    }
    return { kind: 'children', parent, id: second, name, isCollection }
  }

  const name = servedName(catalog, first)
  if (name === undefined) return undefined
  if (catalog.kindOf(name) === 'object') return second === undefined ? { kind: 'object', name } : undefined
  return second === undefined ? { kind: 'collection', name } : { kind: 'item', name, id: second }
}

export function isGetOrHead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The name as it is in the data: an exact match, else one in another case. */
export function servedName(catalog: Catalog, name: string): string | undefined {
  if (catalog.kindOf(name)) return name
  const lower = name.toLowerCase()
  return catalog.names().find((other) => other.toLowerCase() === lower)
}

export function isCollectionName(catalog: Catalog, name: string): boolean {
  const served = servedName(catalog, name)
  return served !== undefined && catalog.kindOf(served) === 'collection'
}

/** The foreign key of a nested route; undefined if the parent is not a collection, and so has no children. */
export function parentOf(catalog: Catalog, name: string, id: string): Within | undefined {
  return isCollectionName(catalog, name) ? { key: foreignKey(name, catalog.naming), id } : undefined
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new RequestError('MALFORMED_URL', MALFORMED_URL)
  }
}
