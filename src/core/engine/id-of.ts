import type { Naming } from './types.ts'

/** The field with the ids of a collection's rows. */
export function idOf(collection: string, { id, ids }: Naming): string {
  return ids?.get(collection) ?? id
}
