export type StorageErrorCode =
  | 'DUPLICATE_ID'
  /** The data file could not be written; nothing was changed. */
  | 'WRITE_FAILED'
  /** The database that the data is in cannot be reached; nothing was changed. */
  | 'SOURCE_UNAVAILABLE'
  /** The row has changed since the client read it (`If-Match`); nothing was changed. */
  | 'PRECONDITION_FAILED'
  /** The rows are not in the state that the effects to apply expect; nothing was changed. */
  | 'CONFLICT'
  /** A row would become larger than what can be sent. */
  | 'INVALID_BODY'
  /** The data is not an object of collections and objects, or not JSON at all. */
  | 'INVALID_DATA'
  | 'PATTERN_TOO_SLOW'
  /** A query that makes no sense with these rows. */
  | 'INVALID_QUERY'
  | 'PATCH_TEST_FAILED'
  /** A JSON Patch names a path that the item does not have, or its id. */
  | 'INVALID_PATCH'
  /** A row does not fit its schema, or points at a row that does not exist; nothing was changed. */
  | 'VALIDATION_FAILED'
  /** Another row has the same value in a field that must be unique; nothing was changed. */
  | 'NOT_UNIQUE'
  /** Other rows point at a row to delete, and must not lose it; nothing was changed. */
  | 'STILL_REFERENCED'
  /** A patch would make an item larger than any body may be. */
  | 'BODY_TOO_LARGE'
  /** Every change is undone, or there was none. */
  | 'NOTHING_TO_UNDO'
  /** Nothing was undone since the last change. */
  | 'NOTHING_TO_REDO'
  /** A row is not what the change to undo left; nothing was changed. */
  | 'UNDO_CONFLICT'
  /** The history does not reach that far. */
  | 'HISTORY_GONE'
  /** Only users who are logged in may do it, and maybe not all of them. */
  | 'AUTH_REQUIRED'
  | 'AUTH_FORBIDDEN'

/** As `ErrorOptions` of ES2022, a name that programs for older engines do not know. */
interface Caused {
  readonly cause?: unknown
}

/** An error of the storage engine. Knows nothing about HTTP: the router maps codes to statuses. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode
  /** What is wrong with which field, by dotted path: `{ "price": "must be at least 0" }`. */
  readonly errors?: Readonly<Record<string, string>>

  constructor(
    code: StorageErrorCode,
    message: string,
    options?: Caused & { readonly errors?: Readonly<Record<string, string>> },
  ) {
    super(message, options)
    this.code = code
    if (options?.errors) this.errors = options.errors
  }
}

/** A setting that cannot work. The message is one line: file, key, remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** An address that cannot be listened on. The message is one line: address, reason, remedy. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  /** The system's code: `EADDRINUSE`, `EACCES`, `ENOTFOUND`, … */
  readonly code: string
  readonly port: number

  constructor(code: string, port: number, message: string, options?: Caused) {
    super(message, options)
    this.code = code
    this.port = port
  }
}

/** The body of every error response, except the `{}` of a plain 404. */
export interface ErrorBody {
  readonly error: string
  /** What happened and what to do. */
  readonly message: string
  /** For programs. */
  readonly code: string
  /** ISO 8601, only in some errors. */
  readonly timestamp?: string
  /** What is wrong with which field, by dotted path. Only where fields are at fault. */
  readonly errors?: Readonly<Record<string, string>>
}
