import type { Effect } from '../data/commit.ts'
import type { Difference } from '../data/diff.ts'
import type { Row } from '../types.ts'
import type { View } from '../view.ts'
import { sees } from './sees.ts'

/** What of a change a client may see: a row that leaves its view looks deleted, one that enters it created. */
export function seenEffects(effects: readonly Effect[], view: View): readonly Effect[] {
  return effects.flatMap<Effect>((effect) => {
    const { name } = effect
    // An object has no id under which it could be missed: it is shown as far as both states may be seen.
    if (effect.kind === 'object') {
      return sees(view, name, effect.before) && sees(view, name, effect.after) ? [effect] : []
    }
    const rows = effect.rows.flatMap((one) => seenDifference(one, name, view))
    return rows.length === 0 ? [] : [{ ...effect, rows }]
  })
}

function seenDifference(
  { rank, before, after }: Difference<Row>,
  name: string,
  view: View,
): readonly Difference<Row>[] {
  const was = before !== undefined && sees(view, name, before)
  const is = after !== undefined && sees(view, name, after)
  return was || is ? [{ rank, ...(was && { before }), ...(is && { after }) }] : []
}
