import type { Request } from 'express'
import type { Catalog } from '../engine/engine.ts'
import { idOf } from '../engine/id-of.ts'
import type { Within } from '../engine/question.ts'
import { foreignKey } from '../engine/relations/relations.ts'
import { MALFORMED_URL, RequestError } from './request-error.ts'

/** The resource or item that a path leads to. */
export type Target = {
  readonly name: string
  /** `/companies/9/products`: only what belongs to that row. */
  readonly parent: ParentItem | undefined
  /** In `/companies/1/products/2/reviews`, the rows above the parent, from the first: each link has to hold. */
  readonly above?: readonly ParentItem[]
  /** False if matched in another letter case; then the response is not cached by URL. */
  readonly isExact: boolean
} & ({ readonly kind: 'list' | 'object' } | { readonly kind: 'item'; readonly id: string })

export interface ParentItem {
  readonly name: string
  readonly id: string
  /** Of the row after it in the path, if it is not the usual one. */
  readonly key?: string
}

/** `GET /db` */
export const DATABASE = /^\/db\/?$/i

/** The parts of a path. A slash at the end makes no difference, nor does a double one before the id, as in `${base}/${id}`. */
export function segmentsOf(path: string): readonly string[] {
  const [, ...segments] = path.split('/')
  if (segments.at(-1) === '') segments.pop()
  if (segments[1] === '' && segments.length <= 3) segments.splice(1, 1)
  return segments
}

export function findTarget(catalog: Catalog, path: string): Target | undefined {
  const segments = segmentsOf(path)
  if (segments.length < 1 || segments.length > 2 * MOST_COLLECTIONS || segments.includes('')) return undefined
  const parts = path.includes('%') ? segments.map(decode) : segments
  if (parts.length > 4) return findDeepTarget(catalog, parts)
  const [first = '', second, third, fourth] = parts
  const name = servedName(catalog, third ?? first)
  if (name === undefined) return undefined
  const isNested = second !== undefined && third !== undefined
  const parent = isNested ? { name: servedName(catalog, first) ?? first, id: second } : undefined
  const isExact = name === (third ?? first) && (!parent || parent.name === first)
  const id = isNested ? fourth : second
  const isObject = catalog.kindOf(name) === 'object'
  if (id === undefined) return { kind: isObject ? 'object' : 'list', name, parent, isExact }
  return isObject ? undefined : { kind: 'item', name, id, parent, isExact }
}

const MOST_COLLECTIONS = 5

/** From three collections on, all of them have to be there. */
function findDeepTarget(catalog: Catalog, parts: readonly string[]): Target | undefined {
  const rest = Math.floor((parts.length - 3) / 2) * 2
  const target = findTarget(catalog, `/${parts.slice(rest).map(encodeURIComponent).join('/')}`)
  const { parent } = target ?? {}
  if (!target || !parent || target.kind === 'object') return undefined
  const above: ParentItem[] = []
  for (let at = 0; at < rest; at += 2) {
    const [name = '', id = ''] = parts.slice(at)
    above.push({ name: servedName(catalog, name) ?? name, id })
  }
  if (![...above, parent].every(({ name }) => catalog.kindOf(name) === 'collection')) return undefined
  const isExact = target.isExact && above.every(({ name }, at) => name === parts[2 * at])
  return { ...target, above, isExact }
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

/** The foreign key of a nested route; undefined if the parent is not a collection, or the key the child's own id. */
export function parentOf(
  catalog: Catalog,
  { name, id, key: own }: ParentItem,
  child: string,
): Within | undefined {
  const key = own ?? foreignKey(name, catalog.naming)
  return isCollectionName(catalog, name) && key !== idOf(child, catalog.naming) ? { key, id } : undefined
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new RequestError('MALFORMED_URL', MALFORMED_URL)
  }
}
