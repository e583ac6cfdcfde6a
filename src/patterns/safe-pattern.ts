import type { Worker } from 'node:worker_threads'
import { attempt } from '../util/attempt.ts'
import { makeThread } from '../util/job-thread.ts'
import { type BoundedPattern, compileBounded } from './bounded-pattern.ts'

/** A pattern of a schema. No string can block the server: a test that takes too long counts as no match. */
export class Pattern {
  readonly #expression: RegExp
  readonly #bounded: BoundedPattern

  constructor(pattern: string) {
    this.#expression = attempt(() => new RegExp(pattern, 'u')) ?? new RegExp(pattern)
    this.#bounded = compileBounded(pattern, this.#expression.unicode ? 'u' : '')
  }

  test(text: string): boolean {
    const { longest, test } = this.#bounded
    return text.length <= longest ? test(text) : testInTime(this.#expression, text)
  }

  /** Identifies the pattern for ajv. */
  toString(): string {
    return this.#expression.toString()
  }
}

/** Milliseconds that a test may take. Longer ones mostly take years. */
const LIMIT = 100

const START = 300

const [STARTING, READY, BUSY, NO_MATCH, MATCH] = [0, 1, 2, 3, 4]

const PROGRAM = `
const { parentPort, workerData: state } = require('node:worker_threads')

parentPort.on('message', ({ expression, text }) => {
  tell(isMatch(expression, text) ? ${MATCH} : ${NO_MATCH})
})
tell(${READY})

function tell(news) {
  Atomics.store(state, 0, news)
  Atomics.notify(state, 0)
}

/** Some are too large to be compiled. */
function isMatch(expression, text) {
  try {
    return expression.test(text)
  } catch {
    return false
  }
}
`

interface Thread {
  readonly worker: Worker
  readonly state: Int32Array
}

let thread: Thread | undefined

/** Whether V8 matches a text in time. Blocks the event loop meanwhile: a last resort where the result is needed synchronously. */
function testInTime(expression: RegExp, text: string): boolean {
  thread ??= startThread()
  const { worker, state } = thread
  Atomics.wait(state, 0, STARTING, START)
  if (Atomics.load(state, 0) === STARTING) return false
  Atomics.store(state, 0, BUSY)
  worker.postMessage({ expression, text })
  Atomics.wait(state, 0, BUSY, LIMIT)
  const news = Atomics.load(state, 0)
  if (news === BUSY) stop(thread)
  return news === MATCH
}

function startThread(): Thread {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const started = { worker: makeThread(PROGRAM, { workerData: state }), state }
  started.worker.unref()
  started.worker.on('error', () => stop(started))
  return started
}

function stop(stopped: Thread): void {
  if (thread === stopped) thread = undefined
  void stopped.worker.terminate()
}
