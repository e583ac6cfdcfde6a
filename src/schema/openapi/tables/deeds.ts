/** Kinds of operations. Each parameter, header and error lists those that it belongs to. */
export type Deed =
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
  /** Of the server itself. */
  | 'login'
  | 'register'
  | 'logout'
  /** The user's own profile: shown, changed. */
  | 'me'
  | 'changeMe'
  | 'about'
  /** What there is of everybody: snapshots, sessions and the history. */
  | 'oversee'
  | 'getSnapshot'
  | 'saveSnapshot'
  | 'restoreSnapshot'
  | 'deleteSnapshot'
  /** Undo, redo and reset. */
  | 'rewind'
  /** Changes since a version. */
  | 'follow'
  | 'endSession'
  | 'resetSession'
  /** The clock and faults: shown, turned with a body, turned back. */
  | 'seeControl'
  | 'turn'
  | 'turnBack'

export const DATA_READS: readonly Deed[] = ['list', 'item', 'object', 'database']
/** Reads of rows, which can be shaped. */
export const ROW_READS: readonly Deed[] = ['list', 'item']
export const REPLACES: readonly Deed[] = ['replace', 'replaceNested']
export const PATCHES: readonly Deed[] = ['patch', 'patchMany', 'patchObject']
export const BODY_DEEDS: readonly Deed[] = [
  'create',
  ...REPLACES,
  ...PATCHES,
  'createObject',
  'replaceObject',
]
export const DATA_WRITES: readonly Deed[] = [...BODY_DEEDS, 'delete', 'deleteMany']
/** Writes of one row or object, which `If-Match` can guard. */
export const SINGLE_WRITES: readonly Deed[] = [
  ...REPLACES,
  'patch',
  'delete',
  'createObject',
  'replaceObject',
  'patchObject',
]
export const FILTERED: readonly Deed[] = ['list', 'patchMany', 'deleteMany']
export const DATA_DEEDS: readonly Deed[] = [...DATA_READS, ...DATA_WRITES]
export const ABOUT: readonly Deed[] = ['about', 'oversee', 'getSnapshot', 'follow']
export const SNAPSHOT_WRITES: readonly Deed[] = ['saveSnapshot', 'restoreSnapshot', 'deleteSnapshot']
export const SESSION_WRITES: readonly Deed[] = ['endSession', 'resetSession']
/** Changes of the server or of all data together. */
export const MANAGE: readonly Deed[] = [...SNAPSHOT_WRITES, ...SESSION_WRITES, 'turn', 'turnBack', 'rewind']
/** What people do with their accounts, apart from logging in. */
export const ACCOUNT: readonly Deed[] = ['register', 'logout', 'me', 'changeMe']
/** Requests that may belong to a session. */
export const IN_SESSION: readonly Deed[] = [
  ...DATA_DEEDS,
  ...SNAPSHOT_WRITES,
  ...ACCOUNT,
  'seeControl',
  'turn',
  'turnBack',
  'rewind',
  'follow',
]
export const WRITES: readonly Deed[] = [
  ...DATA_WRITES,
  ...MANAGE,
  'login',
  ...ACCOUNT.filter((deed) => deed !== 'me'),
]
export const ALL: readonly Deed[] = [...DATA_DEEDS, ...ABOUT, ...MANAGE, ...ACCOUNT, 'seeControl', 'login']
/** Nobody locks themselves out: the clock and faults are not limited. */
export const LIMITED: readonly Deed[] = ALL.filter(
  (deed) => !['seeControl', 'turn', 'turnBack'].includes(deed),
)

/** They change no row, so a read-only server has them. */
const LOGINS: readonly Deed[] = ['login', 'logout']

/** Whether the server has such operations at all. */
export function isThere(deed: Deed, { readOnly }: { readonly readOnly: boolean }): boolean {
  return !readOnly || !WRITES.includes(deed) || LOGINS.includes(deed)
}
