/** What an operation does: the tables of parameters, headers and errors say for which of these each is there. */
export type Deed =
  | 'list'
  | 'item'
  | 'object'
  | 'create'
  | 'replace'
  | 'patch'
  | 'delete'
  | 'writeObject'
  | 'database'
  /** Of the server itself. */
  | 'login'
  | 'about'
  | 'manage'

export const DATA_READS: readonly Deed[] = ['list', 'item', 'object', 'database']
export const ITEM_DEEDS: readonly Deed[] = ['item', 'replace', 'patch', 'delete']
export const BODY_DEEDS: readonly Deed[] = ['create', 'replace', 'patch', 'writeObject']
export const DATA_WRITES: readonly Deed[] = [...BODY_DEEDS, 'delete']
export const DATA_DEEDS: readonly Deed[] = [...DATA_READS, ...DATA_WRITES]
export const WRITES: readonly Deed[] = [...DATA_WRITES, 'manage', 'login']
export const ALL: readonly Deed[] = [...DATA_DEEDS, 'login', 'about', 'manage']

/** Whether such things can be done here at all. */
export function isThere(deed: Deed, { readOnly }: { readonly readOnly: boolean }): boolean {
  return !readOnly || !WRITES.includes(deed)
}
