const PARTS = 3

/** Asks whether the other side is there: a network that drops everything closes no connection. Needs one of its own. */
export class Pulse {
  readonly #ask: () => Promise<unknown>
  readonly #onSilence: () => void
  readonly #patienceMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(ask: () => Promise<unknown>, patienceMs: number, onSilence: () => void) {
    this.#ask = ask
    this.#patienceMs = patienceMs
    this.#onSilence = onSilence
    this.#beatLater()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #beat(): void {
    let isAnswered = false
    this.#timer = setTimeout(() => {
      // If this process was the one that hung, the answer is there already: it is read before this.
      setImmediate(() => {
        if (!isAnswered && this.#timer) this.#onSilence()
      })
    }, this.#patienceMs).unref()
    const answered = () => {
      isAnswered = true
      if (!this.#timer) return
      clearTimeout(this.#timer)
      this.#beatLater()
    }
    // A connection that breaks says so by itself.
    this.#ask().then(answered, () => {})
  }

  #beatLater(): void {
    this.#timer = setTimeout(() => this.#beat(), this.#patienceMs / PARTS).unref()
  }
}
