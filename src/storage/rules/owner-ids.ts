import { fieldText, type Lookup, lookup } from '../data/lookup.ts'
import type { Source } from '../data/source.ts'

/**
 * Tells whether any row, or single object, names an id as its owner.
 * @param ownerIn the field of a resource that does
 */
export async function ownerIds(
  draft: Source,
  ownerIn: (resource: string) => string,
): Promise<(id: string) => boolean> {
  const lookups: Lookup[] = []
  const ofObjects = new Set<string | undefined>()
  for (const name of draft.names()) {
    const field = ownerIn(name)
    // Rows that are their own owners, such as users.
    if (field === draft.naming.id) continue
    if (draft.kindOf(name) === 'object') ofObjects.add(fieldText(draft.object(name), field))
    else lookups.push(await lookup(draft, name, field))
  }
  return (id) => ofObjects.has(id) || lookups.some((find) => find(id).length > 0)
}
