import type { Change } from '../change.ts'
import type { Direction, Effect } from '../commit.ts'
import { invertEffects } from '../invert-effects.ts'

/** What undoes or redoes changes, given in that order: all or nothing, however many there are. */
export function changeFor(
  direction: Direction,
  changes: readonly { readonly effects?: readonly Effect[] | undefined }[],
): Change<'apply' | 'batch'> {
  const parts = changes.map(({ effects = [] }) => ({
    kind: 'apply' as const,
    effects: direction === 'undo' ? invertEffects(effects) : effects,
  }))
  const [only] = parts
  return only && parts.length === 1 ? only : { kind: 'batch', changes: parts }
}
