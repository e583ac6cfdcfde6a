import { inspect } from 'node:util'
import { runningLogic } from './running.ts'

type Report = (line: string) => void

/** The same promise. If it is rejected and nothing waits for it, that goes to the log, instead of ending the process. */
export function reportUnawaited<T>(promise: Promise<T>, report: Report): Promise<T> {
  return new Reported(promise, report, runningLogic() ?? 'logic')
}

/** What is chained to it, as by `finally`, is one, too. */
class Reported<T> extends Promise<T> {
  static override get [Symbol.species]() {
    return Promise
  }

  readonly #chain: <U>(promise: Promise<U>) => Promise<U>
  #isAwaited = false

  constructor(promise: Promise<T>, report: Report, name: string) {
    super((resolve) => resolve(promise))
    this.#chain = (next) => new Reported(next, report, name)
    const say = (error: unknown) => {
      if (!this.#isAwaited) report(unawaitedLine(name, error))
    }
    // As Node does: not before all that was to come of it has begun.
    super.then(undefined, (error: unknown) => process.nextTick(say, error))
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isAwaited = true
    return this.#chain(super.then(onDone, onFailed))
  }
}

export function unawaitedLine(name: string, error: unknown): string {
  return `${name}: nothing waited for this error: ${inspect(error)}`
}
