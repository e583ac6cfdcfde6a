/** Kinds of operations. Each parameter, header and error lists those that it belongs to. */
export type Deed =
  | 'list'
  | 'item'
  | 'object'
  | 'create'
  | 'replace'
  | 'patch'
  | 'delete'
  /** PATCH and DELETE of all rows that match a filter. */
  | 'patchMany'
  | 'deleteMany'
  | 'writeObject'
  | 'database'
  /** Of the server itself. */
  | 'login'
  | 'about'
  | 'manage'

export const DATA_READS: readonly Deed[] = ['list', 'item', 'object', 'database']
export const BODY_DEEDS: readonly Deed[] = ['create', 'replace', 'patch', 'patchMany', 'writeObject']
export const DATA_WRITES: readonly Deed[] = [...BODY_DEEDS, 'delete', 'deleteMany']
/** Writes of one row or object, which `If-Match` can guard. */
export const SINGLE_WRITES: readonly Deed[] = ['replace', 'patch', 'delete', 'writeObject']
export const FILTERED: readonly Deed[] = ['list', 'patchMany', 'deleteMany']
export const DATA_DEEDS: readonly Deed[] = [...DATA_READS, ...DATA_WRITES]
export const WRITES: readonly Deed[] = [...DATA_WRITES, 'manage', 'login']
export const ALL: readonly Deed[] = [...DATA_DEEDS, 'login', 'about', 'manage']

/** Whether the server has such operations at all. */
export function isThere(deed: Deed, { readOnly }: { readonly readOnly: boolean }): boolean {
  return !readOnly || !WRITES.includes(deed)
}
