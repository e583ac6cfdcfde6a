import type { ErrorCode } from '../catalogue/errors.ts'

/** A request the router does not understand. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
