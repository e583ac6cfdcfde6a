const CR_LF_CR_LF = Buffer.from('\r\n\r\n')
const LF = 10

/** Told once per response, as soon as its last byte is there. */
export type OnResponse = (status: number) => void

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'trailer'

/**
 * Finds where each response on a connection ends: by `Content-Length` or by chunks, the two ways that the
 * servers use. It looks at no more than it must, since the generator shares the machine with what it measures.
 */
export class ResponseReader {
  readonly #onResponse: OnResponse
  #state: State = 'head'
  #status = 0
  /** Bytes of the body or of the current chunk (with its line end) that are still to come. */
  #left = 0
  /** The start of a head or of a line whose end is in the next piece. */
  #kept: Buffer | undefined

  constructor(onResponse: OnResponse) {
    this.#onResponse = onResponse
  }

  /** Takes the next bytes. They are not kept past the call, so the buffer may be used again. */
  push(piece: Buffer): void {
    let bytes = piece
    if (this.#kept !== undefined) {
      bytes = Buffer.concat([this.#kept, piece])
      this.#kept = undefined
    }
    let at = 0
    while (at < bytes.length) {
      const next = this.#step(bytes, at)
      if (next === undefined) {
        this.#kept = Buffer.from(bytes.subarray(at))
        return
      }
      at = next
    }
  }

  /** Where to go on reading, or undefined when the next step needs more than there is. */
  #step(bytes: Buffer, at: number): number | undefined {
    switch (this.#state) {
      case 'head':
        return this.#head(bytes, at)
      case 'chunk-size':
      case 'trailer':
        return this.#line(bytes, at)
      default:
        return this.#content(bytes, at)
    }
  }

  #head(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(CR_LF_CR_LF, at)
    if (end < 0) return undefined
    const head = bytes.toString('latin1', at, end)
    this.#status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length !== undefined) {
      this.#left = Number(length)
      this.#state = 'body'
      if (this.#left === 0) this.#finish()
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#state = 'chunk-size'
    } else if (this.#status === 204 || this.#status === 304) {
      this.#finish()
    } else {
      throw new Error(`A response (status ${this.#status}) tells neither length nor chunks`)
    }
    return end + CR_LF_CR_LF.length
  }

  #content(bytes: Buffer, at: number): number {
    const taken = Math.min(this.#left, bytes.length - at)
    this.#left -= taken
    if (this.#left === 0) {
      if (this.#state === 'body') this.#finish()
      else this.#state = 'chunk-size'
    }
    return at + taken
  }

  #line(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(LF, at)
    if (end < 0) return undefined
    const line = bytes.toString('latin1', at, end).trim()
    if (this.#state === 'trailer') {
      if (line === '') this.#finish()
    } else {
      const size = Number.parseInt(line, 16)
      if (Number.isNaN(size)) throw new Error('A chunk of a response has no size')
      this.#left = size + 2
      this.#state = size === 0 ? 'trailer' : 'chunk'
    }
    return end + 1
  }

  #finish(): void {
    this.#state = 'head'
    this.#onResponse(this.#status)
  }
}
