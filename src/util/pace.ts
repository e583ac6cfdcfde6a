/** Milliseconds that work may hold the event loop. */
const SLICE = 8

/** Some work cannot pause in time: a row with a list of millions. */
const TOO_LONG = 4 * SLICE

/** Turns of the event loop for other requests: to accept a connection, to read the request, and to respond. */
const TURNS_OF_OTHERS = 3

const waiting: (() => void)[] = []

/** Pauses long work, so that other requests are served: `if (pace.isDue) await pace.turn()` between two rows. */
export class Pace {
  #end = Date.now() + SLICE

  get isDue(): boolean {
    return Date.now() >= this.#end
  }

  /** Each turn of the event loop resumes only one piece of paused work. */
  async turn(): Promise<void> {
    const wasLong = Date.now() > this.#end + TOO_LONG
    for (let turn = wasLong ? TURNS_OF_OTHERS : 1; turn > 0; turn--) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 1) setImmediate(giveTurn)
      })
    }
    this.#end = Date.now() + SLICE
  }
}

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}
