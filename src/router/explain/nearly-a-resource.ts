import type { IgnoredPart } from '../../exchange.ts'
import type { Catalog } from '../../storage/engine/engine.ts'
import { collectionsOf } from '../../storage/relations/relations.ts'
import { servedName } from '../target.ts'
import { findNearest, LONGEST_NAME } from './nearest.ts'

/** What a path that leads nowhere was probably meant to be: `/posts` for `/post`, `/companies` for `/company/1`. */
export function nearlyAResource(catalog: Catalog, path: string): IgnoredPart | undefined {
  const [, first = '', , third] = path.split('/', 4)
  const name = [first, third].find((one) => one !== undefined && servedName(catalog, one) === undefined)
  if (name === undefined || name === '' || name.length > LONGEST_NAME) return undefined
  const [plural] = collectionsOf(catalog, { embed: [name], expand: [] })
  const meant = plural ?? findNearest(name, catalog.names())?.name
  return meant === undefined
    ? undefined
    : { name: `/${name}`, reason: 'unknown resource', suggestion: `/${meant}` }
}
