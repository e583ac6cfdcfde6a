export interface Exchange {
  readonly id: number
  readonly time: string
  readonly method: string
  readonly path: string
  readonly isMasked?: true
  /** 0 if the client left before the response. */
  readonly status: number
  readonly ms: number
  /** Bytes of the response body, before compression. */
  readonly size: number
  readonly layer?: string
  readonly code?: string
  readonly message?: string
  readonly ignored?: readonly IgnoredPart[]
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly requestBody?: ExchangeBody
  readonly responseBody?: ExchangeBody
}

export interface ExchangeBody {
  readonly text: string
  /** Full size in bytes, kept or not. */
  readonly size: number
  readonly isCut: boolean
  readonly isMasked?: true
  /** Not text: `text` only describes what it was. */
  readonly isLeftOut?: true
}

/** A parameter that had no effect, or a path that is nearly a resource. Never its value. */
export interface IgnoredPart {
  readonly name: string
  /** Why, in a few words: `unknown field`. */
  readonly reason: string
  readonly suggestion?: string
}
