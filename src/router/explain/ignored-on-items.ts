import type { EngineAccess } from '../../storage/engine/engine.ts'
import type { Ignored, ListQuery, Relations } from '../../storage/types.ts'
import { parseParameter } from '../query/operators.ts'
import { knownNames } from './known-names.ts'

/** Asks what the names of a query mean, and for no rows. */
export const PROBE: ListQuery = {
  where: [],
  sort: [],
  window: { kind: 'limit', count: 0 },
  embed: [],
  expand: [],
}

interface IgnoredOnItems {
  readonly ignored: readonly Ignored[]
  isCurrent(): boolean
}

/** The parameters of an item that name no field of any row, and what it is to show that no row has. */
export async function ignoredOnItems(
  engine: EngineAccess,
  collection: string,
  names: readonly string[],
  relations: Relations | undefined,
): Promise<IgnoredOnItems> {
  // What relations lead to depends on other collections, too.
  const known = relations ? undefined : await knownNames(engine, collection)
  const key = names.join('\n')
  const ignored = known?.onItems.get(key)
  if (known && ignored) return { ignored, isCurrent: known.isCurrent }
  const found = await findIgnored(engine, collection, names, relations)
  // Not if it was read from other rows by then.
  if (known?.isCurrent()) known.onItems.set(key, found.ignored)
  return found
}

async function findIgnored(
  engine: EngineAccess,
  collection: string,
  names: readonly string[],
  relations: Relations | undefined,
): Promise<IgnoredOnItems> {
  const where = names.map((name) => parseParameter(name, []))
  const query = { ...PROBE, ...relations, where }
  const { found, isCurrent } = await engine.read({ kind: 'explain', collection, query })
  const ignored = (found?.ignored ?? []).filter(({ reason }) => reason !== 'unreadable value')
  return { ignored, isCurrent }
}
