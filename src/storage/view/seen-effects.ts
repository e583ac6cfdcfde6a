import type { Effect, ObjectEffect, RowsEffect } from '../commit.ts'
import type { View } from '../view.ts'
import { sees } from './sees.ts'

/** What of a change a client may see: a row that leaves its view looks deleted, one that enters it created. */
export function seenEffects(effects: readonly Effect[], view: View): readonly Effect[] {
  return effects.flatMap<Effect>((effect) =>
    effect.kind === 'rows' ? seenRows(effect, view) : seenObject(effect, view),
  )
}

function seenRows({ name, removed, added, replaced }: RowsEffect, view: View): readonly RowsEffect[] {
  const isSeen = ({ row }: { readonly row: RowsEffect['removed'][number]['row'] }) => sees(view, name, row)
  const seen = {
    removed: removed.filter(isSeen),
    added: added.filter(isSeen),
    replaced: [] as RowsEffect['replaced'][number][],
  }
  for (const pair of replaced) {
    const [was, is] = [sees(view, name, pair.before), sees(view, name, pair.after)]
    if (was && is) seen.replaced.push(pair)
    // Where it stood is nobody's business: such effects are shown, never applied.
    else if (was) seen.removed.push({ row: pair.before, place: -1 })
    else if (is) seen.added.push({ row: pair.after, place: -1 })
  }
  const isEmpty = seen.removed.length + seen.added.length + seen.replaced.length === 0
  return isEmpty ? [] : [{ kind: 'rows', name, ...seen }]
}

/** An object has no id under which it could be missed: it is shown as far as both states may be seen. */
function seenObject(effect: ObjectEffect, view: View): readonly ObjectEffect[] {
  const { name, before, after } = effect
  return sees(view, name, before) && sees(view, name, after) ? [effect] : []
}
