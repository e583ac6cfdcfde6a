export type RequestErrorCode = 'ANSWER_TOO_LARGE' | 'INVALID_BODY' | 'INVALID_QUERY' | 'MALFORMED_URL'

/** A request the router does not understand. Always a 400. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: RequestErrorCode

  constructor(code: RequestErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
