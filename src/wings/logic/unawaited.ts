import { runningLogic, stackOf } from './running.ts'

/** The same promise. If it is rejected and nothing waits for it, that goes to the log, instead of ending the process. */
export function reportUnawaited<T>(promise: Promise<T>, report: (line: string) => void): Promise<T> {
  const name = runningLogic() ?? 'logic'
  return new Reported(promise, (error) => report(`${name}: nothing waited for this error: ${stackOf(error)}`))
}

/** A promise whose chained promises are reported, too. */
class Reported<T> extends Promise<T> {
  static override readonly [Symbol.species] = Promise
  readonly #report: (error: unknown) => void
  #isAwaited = false

  constructor(promise: Promise<T>, report: (error: unknown) => void) {
    super((resolve) => resolve(promise))
    this.#report = report
    const reportIfUnawaited = (error: unknown) => {
      if (!this.#isAwaited) report(error)
    }
    // When Node would end the process.
    super.then(undefined, (error: unknown) => process.nextTick(reportIfUnawaited, error))
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isAwaited = true
    return new Reported(super.then(onDone, onFailed), this.#report)
  }
}
