export type StorageErrorCode =
  /** An insert brought an id that the collection already has. */
  | 'DUPLICATE_ID'
  /** The data file could not be written; the change was undone. */
  | 'WRITE_FAILED'
  /** The data is not an object of collections and objects, or not JSON at all. */
  | 'INVALID_DATA'
  /** A pattern takes longer to match than anybody may wait. */
  | 'PATTERN_TOO_SLOW'
  /** A query that makes no sense with these rows. */
  | 'INVALID_QUERY'

/** What the engine could not do. Knows nothing of HTTP: the router decides which status a code becomes. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A setting that cannot work. The message is one line: file, key, remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** An address that cannot be listened on. The message is one line: address, reason, remedy. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  /** The system's own: `EADDRINUSE`, `EACCES`, `ENOTFOUND`, … */
  readonly code: string
  readonly port: number

  constructor(code: string, port: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.port = port
  }
}

/** What every error answer looks like, but for the `{}` of a plain 404. */
export interface ErrorBody {
  /** Short name, for people who skim. */
  readonly error: string
  /** What happened and what to do. */
  readonly message: string
  /** For programs. */
  readonly code: string
  /** ISO 8601, where the service document asks for it. */
  readonly timestamp?: string
}
