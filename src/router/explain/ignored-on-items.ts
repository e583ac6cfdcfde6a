import type { Engine, MaybePromise } from '../../storage/engine.ts'
import { isShaped } from '../../storage/relations/join-rows.ts'
import type { Ignored, ListQuery, Relations } from '../../storage/types.ts'
import { when } from '../../work/when.ts'
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
  readonly isCurrent: (() => boolean) | undefined
}

/** The parameters of an item that name no field of any row, and what it is to show that no row has. */
export function ignoredOnItems(
  engine: Engine,
  collection: string,
  names: readonly string[],
  relations: Relations,
): MaybePromise<IgnoredOnItems> {
  // What relations lead to depends on other collections, too.
  if (isShaped(relations)) return findIgnored(engine, collection, names, relations)
  return when(knownNames(engine, collection), ({ onItems, isCurrent }) => {
    const key = names.join('\n')
    const ignored = onItems.get(key)
    if (ignored) return { ignored, isCurrent }
    return when(findIgnored(engine, collection, names, relations), (found) => {
      // Not if it was read from other rows by then.
      if (isCurrent?.()) onItems.set(key, found.ignored)
      return found
    })
  })
}

function findIgnored(
  engine: Engine,
  collection: string,
  names: readonly string[],
  relations: Relations,
): MaybePromise<IgnoredOnItems> {
  const where = names.map((name) => parseParameter(name, []))
  const query = { ...PROBE, ...relations, where }
  return when(engine.read({ kind: 'explain', collection, query }), (explained) => ({
    ignored: (explained.found?.ignored ?? []).filter(({ reason }) => reason !== 'unreadable value'),
    isCurrent: explained.isCurrent,
  }))
}
