import { type Incoming, inOrder, partsOf } from '../../json/incoming.ts'
import { addValue, listResource, NewCollection } from '../insert/add-resource.ts'
import type { Catalogue, Resource } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { BEGINNING, removeImage, saveImage } from './image.ts'
import { discardAll } from './waste.ts'

/** Called with the number of rows that came so far. */
export type OnRows = (rows: number) => void

/** How everything is replaced. */
interface Replacement {
  readonly idName: string
  readonly version: number
  readonly onRows?: OnRows | undefined
  /** Whether it comes from outside, so that a reset goes back to it. */
  readonly isOutside: boolean
}

/** Replaces everything, in a transaction that holds the lock. Returns what is there then. */
export async function replaceAll(
  sql: Sql,
  tables: Tables,
  incoming: Incoming,
  old: Catalogue,
  { idName, version, onRows, isOutside }: Replacement,
): Promise<Catalogue> {
  const added = new Map<string, Resource>()
  let nextRid = old.nextRid
  let current: NewCollection | undefined
  let rows = 0
  const add = (resource: Resource) => {
    const before = added.get(resource.name)
    if (before?.kind === 'collection') sql.send(`DROP TABLE ${tables.of(before.rid)}`)
    added.set(resource.name, resource)
  }
  for await (const part of partsOf(incoming)) {
    if (part.kind === 'rows') {
      await current?.add(part.rows)
      rows += part.rows.length
      onRows?.(rows)
      continue
    }
    if (current) add(await current.end())
    const about = { rid: nextRid++, name: part.name, version, idName }
    current = part.kind === 'collection' ? new NewCollection(sql, tables, about) : undefined
    if (part.kind === 'value') add(addValue(about, part.value))
  }
  if (current) add(await current.end())
  discardAll(sql, tables)
  sql.send(`DELETE FROM ${tables.resources}`)
  const all = inOrder(added.keys()).flatMap((name) => added.get(name) ?? [])
  for (const [place, resource] of all.entries()) listResource(sql, tables, resource, place)
  sql.send(`UPDATE ${tables.state} SET catalog = $1, next_rid = $2`, [version, nextRid])
  const resources = new Map(all.map((one) => [one.name, one]))
  const catalogue = { version, generation: version, nextRid, resources }
  if (isOutside) {
    await removeImage(sql, tables, BEGINNING)
    await saveImage(sql, tables, BEGINNING, catalogue)
  }
  await sql.flush()
  return catalogue
}
