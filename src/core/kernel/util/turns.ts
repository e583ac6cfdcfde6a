/** Runs work one after the other, in order, even after a failure. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.then(nothing, nothing)
    return result
  }

  /** Coalesces calls: callers that arrive before it starts share one run. */
  shared<T>(work: () => Promise<T>): () => Promise<T> {
    let next: Promise<T> | undefined
    const begin = () => {
      next = undefined
      return work()
    }
    return () => {
      next ??= this.take(begin)
      return next
    }
  }

  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last
      await this.#last
    }
  }
}

/** Of what came of a turn, nothing is kept. */
function nothing(): void {}
