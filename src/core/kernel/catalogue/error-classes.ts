import type { StorageErrorCode } from './errors.ts'

/** As `ErrorOptions` of ES2022, a name that programs for older engines do not know. */
interface Caused {
  readonly cause?: unknown
}

/** An error of the storage engine. Knows nothing about HTTP: the catalogue has the status of each code. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode
  /** The fault of each field, by dotted path: `{ "price": "must be at least 0" }`. */
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

/** A refusal of a server, with what its body says. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  readonly status: number
  /** As in the body: `NOT_UNIQUE`. The status, if the body has none. */
  readonly code: string
  readonly errors?: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    code: string,
    { message, errors }: { readonly message: string; readonly errors?: Readonly<Record<string, unknown>> },
  ) {
    super(message)
    this.status = status
    this.code = code
    if (errors) this.errors = errors
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
/** Also of another copy of the package: the one that a user's file imports. */
const BRAND = Symbol.for('restable.refusal')

/** The error by which a handler or hook refuses: sent as it says. Any other error is a bug, and a 500. */
export interface Refusal extends Error {
  readonly status: number
  readonly code: string
  /** More fields for the body. */
  readonly extra: Readonly<Record<string, unknown>>
}

/**
 * Refuses a request from a handler or a hook: nothing is changed, and the client gets this.
 * @example throw refuse(409, 'ALREADY_FINISHED', 'The order is finished.')
 */
export function refuse(
  status: number,
  code: string,
  message: string,
  extra: Readonly<Record<string, unknown>> = {},
): Refusal {
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new RangeError(
      `refuse: the status has to be a number from 400 to 599, not ${JSON.stringify(status)}.`,
    )
  }
  if (typeof code !== 'string' || typeof message !== 'string') {
    throw new TypeError(
      "refuse: a code and a message are missing, as in refuse(409, 'TAKEN', 'It is taken.').",
    )
  }
  return Object.assign(new Error(message), { name: 'Refusal', status, code, extra, [BRAND]: true })
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && Reflect.get(error, BRAND) === true
}
