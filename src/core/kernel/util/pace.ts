/** Milliseconds that work may hold the event loop. */
const SLICE = 8

/** Some work cannot pause in time: a row with a list of millions. */
const TOO_LONG = 4 * SLICE

/** Turns of the event loop for other requests: to accept a connection, to read the request, and to respond. */
const TURNS_OF_OTHERS = 3

const waiting: (() => void)[] = []

/** Pauses long work, so that other requests are served: `if (pace.isUsedUp) await pace.yieldToEventLoop()` between two rows. */
export class TimeSlice {
  #end = hasLongWork ? 0 : Date.now() + SLICE

  get isUsedUp(): boolean {
    return Date.now() >= this.#end
  }

  /** Each turn of the event loop resumes only one piece of paused work. */
  async yieldToEventLoop(): Promise<void> {
    if (Date.now() > this.#end + TOO_LONG) noteLongWork()
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(giveTurn)
    })
    this.#end = Date.now() + SLICE
  }
}

/** Whether work that waits took too long before a pause: then work that begins waits its turn first. */
let hasLongWork = false
let turnsOfOthers = 0
let resumedAt: number | undefined

function noteLongWork(): void {
  hasLongWork = true
  turnsOfOthers = TURNS_OF_OTHERS
}

function giveTurn(): void {
  const now = Date.now()
  if (resumedAt !== undefined && now - resumedAt > TOO_LONG) noteLongWork()
  resumedAt = undefined
  if (turnsOfOthers > 0) turnsOfOthers--
  else {
    resumedAt = now
    waiting.shift()?.()
  }
  if (waiting.length > 0) setImmediate(giveTurn)
  else {
    hasLongWork = false
    resumedAt = undefined
  }
}
