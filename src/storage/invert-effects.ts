import type { Effect } from './commit.ts'

/** What takes the effects back: `apply` them to undo a commit, and their inverse again to redo it. */
export function invertEffects(effects: readonly Effect[]): readonly Effect[] {
  return effects.map((effect) => {
    if (effect.kind === 'object') return { ...effect, before: effect.after, after: effect.before }
    const replaced = effect.replaced.map(({ before, after }) => ({ before: after, after: before }))
    return { ...effect, removed: effect.added, added: effect.removed, replaced }
  })
}
