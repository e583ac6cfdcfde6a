/** Kinds of operations. Each parameter, header and error lists those that it belongs to. */
export type OperationKind =
  | 'list'
  | 'item'
  | 'object'
  | 'create'
  | 'replace'
  /** Below a parent, where nothing is created. */
  | 'replaceNested'
  | 'patch'
  | 'delete'
  /** PATCH and DELETE of all rows that match a filter. */
  | 'patchMany'
  | 'deleteMany'
  | 'createObject'
  | 'replaceObject'
  | 'patchObject'
  | 'database'
  | ServerKind

export type ServerKind =
  | 'login'
  | 'register'
  | 'logout'
  | 'me'
  | 'about'
  | 'manage'
  /** The clock and faults: shown and changed, without a limit, so that nobody locks themselves out. */
  | 'control'
  | 'sessions'
  /** Of the user's own logic. */
  | 'handler'

type Kinds = readonly OperationKind[]

export const DATA_READS: Kinds = ['list', 'item', 'object', 'database']
export const ROW_READS: Kinds = ['list', 'item']
export const REPLACES: Kinds = ['replace', 'replaceNested']
export const PATCHES: Kinds = ['patch', 'patchMany', 'patchObject']
export const BODY_WRITES: Kinds = ['create', ...REPLACES, ...PATCHES, 'createObject', 'replaceObject']
export const DATA_WRITES: Kinds = [...BODY_WRITES, 'delete', 'deleteMany']
/** Writes of one row or object, which `If-Match` can guard. */
export const SINGLE_WRITES: Kinds = DATA_WRITES.filter(
  (kind) => !['create', 'patchMany', 'deleteMany'].includes(kind),
)
export const FILTERED: Kinds = ['list', 'patchMany', 'deleteMany']
export const DATA_OPERATIONS: Kinds = [...DATA_READS, ...DATA_WRITES]
export const ABOUT: Kinds = ['about']
export const MANAGE: Kinds = ['manage', 'control', 'sessions']
export const ACCOUNT: Kinds = ['register', 'logout', 'me']
export const IN_SESSION: Kinds = [...DATA_OPERATIONS, ...ABOUT, 'manage', 'control', ...ACCOUNT, 'handler']
/** All that know who asks. */
export const IDENTIFIED: Kinds = [...DATA_OPERATIONS, ...ABOUT, ...MANAGE, 'me', 'handler']
export const ALL: Kinds = [...DATA_OPERATIONS, ...ABOUT, ...MANAGE, ...ACCOUNT, 'login', 'handler']

export function isThere(kind: OperationKind, { readOnly }: { readonly readOnly: boolean }): boolean {
  return !readOnly || !(DATA_WRITES.includes(kind) || kind === 'register')
}
