/** A request and its answer as the page shows them: bounded, and with secrets masked. */
export interface Exchange {
  readonly id: number
  /** When it arrived, ISO 8601. */
  readonly time: string
  readonly method: string
  /** What the client sent, query included. */
  readonly path: string
  /** Secrets were left out of the path. */
  readonly isMasked?: true
  /** 0 when the client left before the answer. */
  readonly status: number
  readonly ms: number
  /** Bytes of the answer's body, before compression. */
  readonly size: number
  /** The layer that refused it. */
  readonly layer?: string
  /** Of the error that was answered. */
  readonly code?: string
  readonly message?: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly requestBody?: ExchangeBody
  readonly responseBody?: ExchangeBody
}

export interface ExchangeBody {
  readonly text: string
  /** Bytes that there were, kept or not. */
  readonly size: number
  readonly isCut: boolean
  /** Secrets were left out. */
  readonly isMasked?: true
  /** It is no text: what stands there only tells what it was. */
  readonly isLeftOut?: true
}
