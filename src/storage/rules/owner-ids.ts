import type { Work } from '../../work/in-slices.ts'
import { fieldText } from '../index/id-index.ts'
import { lookupIn } from '../index/lookup.ts'
import type { Lookup } from '../types.ts'
import type { RuledDraft } from './ruled-draft.ts'

/**
 * Tells whether any row, or single object, names an id as its owner.
 * @param ownerIn the field of a resource that does
 */
export function* ownerIds(
  draft: RuledDraft,
  ownerIn: (resource: string) => string,
): Work<(id: string) => boolean> {
  const lookups: Lookup[] = []
  const ofObjects = new Set<string | undefined>()
  for (const name of draft.names()) {
    const field = ownerIn(name)
    // Rows that are their own owners, such as users.
    if (field === draft.naming.id) continue
    if (draft.kindOf(name) === 'object') ofObjects.add(fieldText(draft.object(name), field))
    else lookups.push(yield* lookupIn(draft, name, field))
  }
  return (id) => ofObjects.has(id) || lookups.some((find) => find(id).length > 0)
}
