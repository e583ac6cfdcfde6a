/** The response of `GET /__service`. Contains no secrets. */
export interface ServiceInfo {
  readonly version: string
  readonly uptime: number
  /** Where the data is, if a database has it: neither its host nor its user. */
  readonly database?: { readonly name: string; readonly schema: string }
  /** The data file, or null if the data is in memory or in a database. */
  readonly data: FileInfo | null
  /** Why the source could not be loaded again after it changed: the data served is the last good one. */
  readonly dataFault?: string
  readonly id: string
  readonly foreignKeySuffix: string
  readonly readOnly: boolean
  readonly cascade: boolean
  readonly snapshots: boolean
  /** Responses have a shape. `Prefer: shape=none` gets rows as they are. */
  readonly shape?: true
  readonly layers: readonly LayerInfo[]
  readonly rules: Readonly<Record<string, string>>
  readonly resources: readonly ResourceInfo[]
  /** How sessions may begin, by name. */
  readonly scenarios?: readonly string[]
  /** Whom clients may act as, where accounts let them act as anybody. */
  readonly personas?: readonly PersonaInfo[]
}

/** With accounts, only admins are told more than the name. */
export interface FileInfo {
  readonly file: string
  readonly savedAt?: string | null
  /** Not of a folder. */
  readonly size?: number
}

export interface PersonaInfo {
  readonly email: string
  readonly role: string
}

export interface LayerInfo {
  readonly name: string
  readonly kind: 'built-in' | 'file'
  readonly settings: Readonly<Record<string, unknown>>
}

export interface ResourceInfo {
  readonly name: string
  readonly kind: 'collection' | 'object'
  readonly count: number | null
  /** The field with the ids of its rows, if it is not that of the service. */
  readonly id?: string
  readonly relations: readonly RelationInfo[]
  /** Which of its fields list the ids of which collection: many to many. Absent if none does. */
  readonly lists?: readonly RelationInfo[]
  /** Keys that only the settings declare, whatever their names. Absent if there are none. */
  readonly references?: readonly (Pick<RelationInfo, 'field' | 'resource'> & { readonly isList: boolean })[]
  /** Who may do what. Absent where everybody may do everything. */
  readonly access?: AccessInfo
}

export type AccessAction = 'read' | 'create' | 'update' | 'delete'

/** Who may do what with the rows of a resource: any of those that are listed. */
export interface AccessInfo extends Readonly<Record<AccessAction, readonly string[]>> {
  readonly owner: string
  /** Actions allowed without a login, on some of the rows at least. */
  readonly withoutLogin: readonly AccessAction[]
  /** Whether the settings say so; else these are the defaults. */
  readonly isDeclared: boolean
}

export interface RelationInfo {
  readonly field: string
  readonly resource: string
  /** The name that `_expand` takes: `company`; `tags` for a list. */
  readonly expand: string
}
