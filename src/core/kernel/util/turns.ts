/** Runs work one after the other, in order, even after a failure. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.then(nothing, nothing)
    return result
  }

  /** Work that all who call before it begins share: what it finds is never older than the call. */
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
