export type RequestErrorCode = 'ANSWER_TOO_LARGE' | 'INVALID_BODY' | 'INVALID_QUERY' | 'MALFORMED_URL'

/** A request that makes no sense to the router. Always a 400. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: RequestErrorCode

  constructor(code: RequestErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
