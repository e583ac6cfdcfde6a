import type { ErrorCode } from '../kernel/catalogue/errors.ts'

/** A request that is invalid whatever the data. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export const MALFORMED_URL = 'The path has a % that does not start a valid escape, such as %20.'
