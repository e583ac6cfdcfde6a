import { attempt } from '../../../core/kernel/util/attempt.ts'
import type { Template } from '../../../wings/shapes/template.ts'
import { isIdPart } from '../place.ts'

/** A path of the API that leads to a collection, and how its answers look. Immutable. */
export interface RecordedRoute {
  readonly collection: string
  /** The collection that the part before it is an id of. */
  readonly parent?: string
  /** The name of a preset. */
  readonly preset?: string
  readonly list?: Template
  readonly item?: Template
  /** Fields that rows of lists have, and those of items. */
  readonly listFields?: readonly string[]
  readonly itemFields?: readonly string[]
  readonly params?: Readonly<Record<string, string>>
  readonly size?: number
  readonly from?: number
  /** Rows that the API has. */
  readonly total?: number
}

/** The goal of a path of the API. */
export interface Spot {
  /** `/v2/users/:id/posts`: the route of a collection and its items. */
  readonly pattern: string
  readonly collection: string
  readonly parent?: { readonly name: string; readonly id: string } | undefined
  readonly id?: string | undefined
}

export type Routes = ReadonlyMap<string, RecordedRoute>

/** The parts of a path, decoded; undefined if that is impossible. */
export function partsOf(path: string): readonly string[] | undefined {
  return attempt(() => path.split('/').filter(Boolean).map(decodeURIComponent))
}

/**
 * The collection is the last part that is no id.
 * @param isItem whether the last part is an id, whatever it looks like
 */
export function spotOf(
  parts: readonly string[],
  isItem: boolean,
  isRow: (collection: string, id: string) => boolean,
): Spot | undefined {
  const above = isItem ? parts.slice(0, -1) : parts
  const collection = above.at(-1)
  if (collection === undefined || isIdPart(collection)) return undefined
  const isId = (part: string, at: number) => isIdPart(part) || (at > 0 && isRow(above[at - 1] ?? '', part))
  const pattern = `/${above.map((part, at) => (isId(part, at) && at < above.length - 1 ? ':id' : part)).join('/')}`
  const [name, id] = above.slice(-3, -1)
  const isNested = name !== undefined && id !== undefined && !isIdPart(name) && isId(id, above.length - 2)
  return {
    pattern,
    collection,
    ...(isNested && { parent: { name, id } }),
    ...(isItem && { id: parts.at(-1) }),
  }
}

/** The spot of a path on a known route: of several, that with the fewest ids, whatever their order. */
export function matchRoute(
  routes: Routes,
  parts: readonly string[],
): (Spot & { readonly route: RecordedRoute }) | undefined {
  for (const isItem of [false, true]) {
    const above = isItem ? parts.slice(0, -1) : parts
    const matching = [...routes].flatMap(([pattern, route]) => {
      const own = pattern.split('/').slice(1)
      const isMatch =
        own.length === above.length && own.every((part, at) => part === ':id' || part === above[at])
      return isMatch ? [{ pattern, route, ids: own.filter((part) => part === ':id').length }] : []
    })
    const [best] = matching.sort((a, b) => a.ids - b.ids)
    if (!best) continue
    const { pattern, route } = best
    const { collection, parent } = route
    const parentId = above.at(-2)
    return {
      ...{ pattern, collection, route },
      ...(parent !== undefined && parentId !== undefined && { parent: { name: parent, id: parentId } }),
      ...(isItem && { id: parts.at(-1) }),
    }
  }
  return undefined
}
