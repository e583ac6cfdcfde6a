/** An object whose asynchronous methods never end the process: failures that nothing waits for are reported at the end. */
export function watched(target: object, name: string, lost: Lost): object {
  return new Proxy(target, {
    get(_, method) {
      const act: unknown = Reflect.get(target, method)
      if (typeof act !== 'function' || typeof method !== 'string') return act
      return function called(...sent: unknown[]) {
        const at: { stack?: string } = {}
        // The first line is where the user's code called it.
        Error.captureStackTrace(at, called)
        const promise = new Watched((resolve) => resolve(act.apply(target, sent)))
        lost.watch(promise, (error) => {
          const [, ...frames] = (at.stack ?? '').split('\n')
          const why = error instanceof Error ? error.message : String(error)
          return [`${name}.${method} failed, and nothing waited for it: ${why}`, ...frames].join('\n')
        })
        return promise
      }
    },
  })
}

/** What failed while one function ran. */
export class Lost {
  readonly #report: (line: string) => void
  #failed: (() => void)[] = []
  #isOver = false

  constructor(report: (line: string) => void) {
    this.#report = report
  }

  watch(promise: Watched, describe: (error: unknown) => string): void {
    promise.onFailure((error) => {
      const check = () => {
        if (!promise.isAwaited) this.#report(describe(error))
      }
      // Until its end, the function may still wait for it.
      if (this.#isOver) check()
      else this.#failed.push(check)
    })
  }

  end(): void {
    this.#isOver = true
    for (const check of this.#failed.splice(0)) check()
  }
}

class Watched extends Promise<unknown> {
  isAwaited = false

  static override get [Symbol.species]() {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: it is how to notice that something waits
  override then: Promise<unknown>['then'] = (...handlers) => {
    this.isAwaited = true
    return super.then(...handlers)
  }

  onFailure(act: (error: unknown) => void): void {
    super.then(undefined, act)
  }
}
