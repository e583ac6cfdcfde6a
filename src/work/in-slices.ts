/** How long a read may hold the event loop at a time, in milliseconds. */
const SLICE = 8
/** The same for work that starts while other work is waiting: many may start before any of it resumes. */
const FIRST_SLICE = 1

/** Work that yields wherever it can be paused, or a promise that it has to wait for. */
export type Work<Result> = Generator<Promise<unknown> | undefined, Result>

/** A boolean, or work that finds it. */
export type Verdict = boolean | Work<boolean>

/** Does the work: synchronously if it is quick, else in slices. */
export function workInSlices<Result>(work: Work<Result>, slice = SLICE): Result | Promise<Result> {
  return doSlice(work, slice, waiting.length > 0 ? Math.min(slice, FIRST_SLICE) : slice)
}

function doSlice<Result>(
  work: Work<Result>,
  slice: number,
  first: number,
  resume = () => work.next(),
): Result | Promise<Result> {
  const end = performance.now() + first
  let turn = resume()
  for (;;) {
    if (turn.done) return turn.value
    if (turn.value !== undefined) {
      // The work handles the rejection itself.
      const fail = (error: unknown) => doSlice(work, slice, slice, () => work.throw(error))
      return turn.value.then(() => workInSlices(work, slice), fail)
    }
    if (performance.now() >= end) return nextTurn().then(() => doSlice(work, slice, slice))
    turn = work.next()
  }
}

/** Yields the same items, pausing between slices so that a fast consumer does not hold the event loop. */
export async function* paced<Thing>(things: Iterable<Thing>, slice = SLICE): AsyncGenerator<Thing, void> {
  let end = performance.now() + slice
  for (const thing of things) {
    yield thing
    if (performance.now() < end) continue
    await nextTurn()
    end = performance.now() + slice
  }
}

/** Paused work, waiting to resume. */
const waiting: (() => void)[] = []

/** Each turn of the event loop resumes only one piece of paused work, however many there are. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
}

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** Does the work synchronously, however long it takes. It must have nothing to wait for. */
export function workAtOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (value !== undefined) throw new Error('Work that has to wait cannot be done synchronously.')
  }
}

/** Does the work without yielding, except for what it has to wait for. */
export function workUndisturbed<Result>(
  work: Work<Result>,
  resume = () => work.next(),
): Result | Promise<Result> {
  for (let turn = resume(); ; turn = work.next()) {
    if (turn.done) return turn.value
    if (turn.value === undefined) continue
    const fail = (error: unknown) => workUndisturbed(work, () => work.throw(error))
    return turn.value.then(() => workUndisturbed(work), fail)
  }
}

/** Whether a return value is work to do. Nothing that JSON can hold is. */
export function isWork<T>(value: T | Work<T>): value is Work<T> {
  return Object.prototype.toString.call(value) === '[object Generator]'
}

/** Resolves a verdict, as part of other work. */
export function* settle(verdict: Verdict): Work<boolean> {
  return typeof verdict === 'boolean' ? verdict : yield* verdict
}

/** Awaits a promise, as part of other work. */
export function* waitFor<T>(value: T | Promise<T>): Work<T> {
  if (!(value instanceof Promise)) return value
  const results: T[] = []
  yield value.then((result) => results.push(result))
  return results[0] as T
}

/** Number of steps to do before yielding. */
export const STRETCH = 512

/** Calls `step` for 0, 1, 2, … */
export function* inStretches(count: number, step: (number: number) => void): Work<void> {
  for (let start = 0; start < count; start += STRETCH) {
    const end = Math.min(start + STRETCH, count)
    for (let number = start; number < end; number++) step(number)
    yield
  }
}
