/** How often to ask, in parts of the patience. */
const PARTS = 3

/**
 * Asks now and then whether the other side still answers: a network that drops everything closes no connection. It needs a
 * connection where nothing else waits, so that silence means what it seems to mean.
 */
export class Pulse {
  readonly #ask: () => Promise<unknown>
  readonly #onSilence: () => void
  readonly #patienceMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(ask: () => Promise<unknown>, patienceMs: number, onSilence: () => void) {
    this.#ask = ask
    this.#patienceMs = patienceMs
    this.#onSilence = onSilence
    this.#timer = this.#after(patienceMs / PARTS, () => this.#beat())
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #beat(): void {
    let isAnswered = false
    this.#timer = this.#after(this.#patienceMs, () => {
      // If this process was the one that hung, the answer is there already: it is read before this.
      setImmediate(() => {
        if (!isAnswered && this.#timer) this.#onSilence()
      })
    })
    const answered = () => {
      isAnswered = true
      if (!this.#timer) return
      clearTimeout(this.#timer)
      this.#timer = this.#after(this.#patienceMs / PARTS, () => this.#beat())
    }
    // A connection that breaks says so by itself.
    this.#ask().then(answered, () => {})
  }

  #after(ms: number, work: () => void): NodeJS.Timeout {
    return setTimeout(work, ms).unref()
  }
}
