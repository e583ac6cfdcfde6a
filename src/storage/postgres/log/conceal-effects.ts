import type { Commit, Effect, PlacedRow } from '../../commit.ts'
import type { HiddenNames } from '../../hidden/conceal.ts'
import { hideFields } from '../../hidden/hidden-fields.ts'
import { isRow } from '../../is-row.ts'
import type { Row } from '../../types.ts'

/** A commit with these fields of its rows hidden. */
export function concealEffects<C extends Pick<Commit, 'effects'>>(commit: C, hidden: HiddenNames): C {
  const { effects } = commit
  if (!effects?.some(({ name }) => hidden.has(name))) return commit
  return { ...commit, effects: effects.map((effect) => concealEffect(effect, hidden)) }
}

function concealEffect(effect: Effect, hidden: HiddenNames): Effect {
  const names = hidden.get(effect.name)
  if (!names || effect.kind === 'object') return effect
  const hide = (row: Row) => (isRow(row) ? hideFields(row, names) : row)
  const hidePlaced = ({ row, ...place }: PlacedRow) => ({ row: hide(row), ...place })
  return {
    ...effect,
    removed: effect.removed.map(hidePlaced),
    added: effect.added.map(hidePlaced),
    replaced: effect.replaced.map(({ before, after }) => ({ before: hide(before), after: hide(after) })),
  }
}
