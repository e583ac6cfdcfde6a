import type { TableSource } from '../data/database.ts'
import { fieldText, lookup } from '../data/lookup.ts'
import type { Effect } from '../data/store.ts'
import type { Difference } from '../data/tree.ts'
import { idOf } from '../id-of.ts'
import type { Naming, Row } from '../types.ts'
import { rowTest } from './reachable-rows.ts'
import { type Access, MOST_STEPS, rightsIn } from './rights.ts'

/**
 * The part of a change that a client may read: a row that becomes unreadable looks deleted, one that becomes readable created.
 * @param source the data now: it decides for parents that the change did not touch
 */
export async function readableEffects(
  source: TableSource,
  effects: readonly Effect[],
  access: Access,
): Promise<readonly Effect[]> {
  const [old, next] = [stateIn(source, effects, 'before'), stateIn(source, effects, 'after')]
  const readable: Effect[] = []
  for (const effect of effects) {
    const mayReadOld = await rowTest(old, access, effect.name, 'read')
    const mayReadNext = await rowTest(next, access, effect.name, 'read')
    // An object cannot look created or deleted, so both states must be readable.
    if (effect.kind === 'object') {
      if (mayReadOld(effect.before) && mayReadNext(effect.after)) readable.push(effect)
      continue
    }
    const rows = effect.rows.flatMap(({ rank, before, after }) => {
      const was = before !== undefined && mayReadOld(before)
      const is = after !== undefined && mayReadNext(after)
      return was || is ? [{ rank, ...(was && { before }), ...(is && { after }) }] : []
    })
    const isMade = effect.made !== undefined && rightsIn(access, effect.name).read.reach !== 'none'
    if (rows.length > 0 || isMade) readable.push({ ...effect, rows })
  }
  return readable
}

/**
 * Resources whose rows came into view, or went out of it, with rows that they reference.
 * @param effects what the client may read
 */
export async function resourcesBelow(
  source: TableSource,
  effects: readonly Effect[],
  access: Access,
): Promise<ReadonlySet<string>> {
  const below = new Set<string>()
  let moved = idsMoved(effects, source.naming)
  for (let steps = 0; steps < MOST_STEPS && moved.size > 0; steps++) {
    const next = new Map<string, string[]>()
    for (const [name, { read }] of Object.entries(access.resources)) {
      for (const { field, resource } of read.reach === 'some' ? read.via : []) {
        const ids = moved.get(resource)
        if (!ids) continue
        const find = await lookup(source, name, field)
        const rows = ids.flatMap((id) => find(id))
        if (rows.length === 0) continue
        below.add(name)
        const own = rows.flatMap((row) => fieldText(row, idOf(name, source.naming)) ?? [])
        next.set(name, [...(next.get(name) ?? []), ...own])
      }
    }
    moved = next
  }
  return below
}

/** By resource: of rows that look created or deleted. */
function idsMoved(effects: readonly Effect[], naming: Naming): ReadonlyMap<string, readonly string[]> {
  const moved = new Map<string, readonly string[]>()
  for (const effect of effects) {
    if (effect.kind !== 'rows') continue
    const isMoved = ({ before, after }: Difference<Row>) => (before === undefined) !== (after === undefined)
    const ids = effect.rows
      .filter(isMoved)
      .flatMap(({ before, after }) => fieldText(before ?? after, idOf(effect.name, naming)) ?? [])
    if (ids.length > 0) moved.set(effect.name, ids)
  }
  return moved
}

/** The data with the rows of a change as they were before it, or after it. */
function stateIn(source: TableSource, effects: readonly Effect[], side: 'before' | 'after'): TableSource {
  return {
    naming: source.naming,
    names: () => source.names(),
    kindOf: (name) => source.kindOf(name),
    object: (name) => source.object(name),
    async table(name) {
      const table = await source.table(name)
      const effect = effects.find((each) => each.name === name)
      if (!table || effect?.kind !== 'rows') return table
      return table.edit(effect.rows.map(({ rank, [side]: after }) => ({ rank, after })))
    },
  }
}
