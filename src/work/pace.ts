/** How long work may hold the event loop at a time, in milliseconds. */
const SLICE = 8

const waiting: (() => void)[] = []

/** Paces long work, so that others are served meanwhile: `if (pace.isDue) await pace.turn()` between two rows. */
export class Pace {
  #end = Date.now() + SLICE

  get isDue(): boolean {
    return Date.now() >= this.#end
  }

  /** Each turn of the event loop resumes only one piece of paused work, however many there are. */
  async turn(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(giveTurn)
    })
    this.#end = Date.now() + SLICE
  }
}

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}
