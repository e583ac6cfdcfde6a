import type { Catalog } from '../../storage/engine/engine.ts'
import { collectionsOf, listKey, singularOf } from '../../storage/relations/relations.ts'
import { findNearest } from './nearest.ts'

/** The relation that was probably meant: `_embed=products` for `_embed=prodcts` and for `_expand=products`. */
export function suggestRelation(
  parameter: string,
  name: string,
  fields: readonly string[],
  catalog: Catalog,
): string | undefined {
  if (name.includes('.')) return undefined
  const parents = parentsIn(fields, catalog)
  const singular = parents.find((parent) => collectionsNamed(parent, catalog).includes(name))
  if (singular !== undefined) return `_expand=${singular}`
  if (catalog.kindOf(name) === 'collection')
    return parameter.startsWith('_expand') ? `_embed=${name}` : undefined
  const suffix = otherSuffix(name, fields)
  if (suffix !== undefined) return `${parameter} with --foreignKeySuffix ${suffix}`
  const parent = findNearest(name, parents)
  const child = findNearest(name, catalog.names())
  if (parent && (!child || parent.distance <= child.distance)) return `_expand=${parent.name}`
  return child && `_embed=${child.name}`
}

/** Rows are found by fields of their parents only. By those of other rows, these are found, with what they belong to. */
export function suggestOtherList(
  name: string,
  collection: string,
  fields: readonly string[],
  catalog: Catalog,
): string | undefined {
  const dot = Math.max(name.indexOf('.'), 0)
  const other = name.slice(0, dot)
  if (catalog.kindOf(other) !== 'collection' || fields.includes(other)) return undefined
  const isListed = fields.includes(listKey(other, catalog.naming))
  const back = isListed ? `_embed=${collection}` : `_expand=${singularOf(collection)}`
  return `/${other}?${name.slice(dot + 1)}=…&${back}`
}

/** Whether rows have a foreign key to a parent of this name. */
export function isParent(name: string, fields: readonly string[], catalog: Catalog): boolean {
  const hasKey = name !== '' && fields.includes(name + catalog.naming.foreignKeySuffix)
  return hasKey && collectionsNamed(name, catalog).length > 0
}

function parentsIn(fields: readonly string[], catalog: Catalog): readonly string[] {
  const { foreignKeySuffix: suffix } = catalog.naming
  const names = fields
    .filter((field) => field.endsWith(suffix))
    .map((field) => field.slice(0, field.length - suffix.length))
  return names.filter((name) => isParent(name, fields, catalog))
}

function collectionsNamed(name: string, catalog: Catalog): readonly string[] {
  return collectionsOf(catalog, { embed: [name], expand: [] })
}

/** The data may have another suffix than the server was started with: `company_id` instead of `companyId`. */
function otherSuffix(name: string, fields: readonly string[]): string | undefined {
  const field = fields.find(
    (one) => one.startsWith(name) && /^(?:_id|Id|ID|_ID)$/.test(one.slice(name.length)),
  )
  return field?.slice(name.length)
}
