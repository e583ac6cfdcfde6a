/** How long a read may hold the event loop at a time, in milliseconds. */
const SLICE = 8

/**
 * Calls `step` for 0, 1, 2, …: at once where that is quickly done, else in slices between which others have their
 * turn. `pause` is called before the first break: what was current until then may change from there on.
 */
export function inSlices(
  count: number,
  step: (number: number) => void,
  pause: () => void,
  slice = SLICE,
): Promise<void> | undefined {
  const work = workInSlices(oneByOne(count, step), slice)
  if (!(work instanceof Promise)) return undefined
  pause()
  return work
}

function* oneByOne(count: number, step: (number: number) => void): Work<void> {
  for (let number = 0; number < count; number++) {
    if (number > 0) yield
    step(number)
  }
}

/** Work that yields wherever others may have their turn. */
export type Work<Result> = Generator<undefined, Result>

/** Does the work: at once where that is quickly done, else in slices. */
export function workInSlices<Result>(work: Work<Result>, slice = SLICE): Result | Promise<Result> {
  const end = performance.now() + slice
  do {
    const { done, value } = work.next()
    if (done) return value
  } while (performance.now() < end)
  return nextTurn().then(() => workInSlices(work, slice))
}

/** The same things one by one, for those who take them as fast as they can: others have their turn in between. */
export async function* paced<Thing>(things: Iterable<Thing>, slice = SLICE): AsyncGenerator<Thing, void> {
  let end = performance.now() + slice
  for (const thing of things) {
    yield thing
    if (performance.now() < end) continue
    await nextTurn()
    end = performance.now() + slice
  }
}

/** Those that wait to go on with their work. */
const waiting: (() => void)[] = []

/** However many work in slices, each time around the event loop one of them has its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
}

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** Does the work at once, however long it takes. */
export function workAtOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** So many steps are done before others may have their turn. */
const STRETCH = 512

/** Calls `step` for 0, 1, 2, … */
export function* inStretches(count: number, step: (number: number) => void): Work<void> {
  for (let start = 0; start < count; start += STRETCH) {
    const end = Math.min(start + STRETCH, count)
    for (let number = start; number < end; number++) step(number)
    yield
  }
}
