import type { ErrorBody } from '../../errors.ts'
import type { BodyFault } from './read-body.ts'

/** An unusable body, with the response for it. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, error: string, code: string, message: string) {
    super(message)
    this.status = status
    this.body = { error, message, code }
  }
}

/** The refusal of a body that is not valid. */
export function invalidBody(message: string, status = 400): BodyError {
  return new BodyError(status, 'Invalid body', 'INVALID_BODY', message)
}

export function tooLarge(message: string): BodyError {
  return new BodyError(413, 'Body too large', 'BODY_TOO_LARGE', message)
}

/** The refusal of a body that could not be read to its end. */
export function unreadBody(fault: BodyFault): BodyError {
  switch (fault) {
    case 'too large':
      return tooLarge('The body is larger than 10 MB; send less at a time.')
    case 'unknown encoding':
      return invalidBody('The Content-Encoding is not supported; send gzip, deflate, br or none.', 415)
    case 'broken':
      return invalidBody(
        'The body could not be read: it ended early, or is not compressed as its header says.',
      )
    case 'busy':
      return new BodyError(503, 'Server busy', 'SERVER_BUSY', BUSY)
  }
}

const BUSY = 'Too many large bodies are being received; try again in a few seconds.'
