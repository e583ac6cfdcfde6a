import type { Worker } from 'node:worker_threads'
import { StorageError } from '../../catalogue/error-classes.ts'
import { compileFind } from '../../catalogue/text.ts'
import { compileBounded } from '../../patterns/bounded-pattern.ts'
import { foldText, RE2_INPUTS, re2Path } from '../../patterns/re2.ts'
import { translate } from '../../patterns/translate.ts'
import { attempt } from '../../util/attempt.ts'
import { getOrMake } from '../../util/get-or-make.ts'
import { JobError, JobThread, type JobThreadOptions, makeThread } from '../../util/job-thread.ts'
import { Lru } from '../../util/lru.ts'

interface Compiled {
  readonly matches: (text: string) => boolean
  readonly needsEngine: boolean
}

/** A case-insensitive regular expression, in bounded time, or else `LongText`. Invalid patterns match literally. */
export function compileLike(pattern: string): (text: string) => boolean {
  return compiled(pattern).matches
}

/** Whether only V8's engine can match it: it is too big, or too slow and unsupported by re2. */
export function needsEngine(pattern: string): boolean {
  return compiled(pattern).needsEngine
}

const recent = new Lru<string, Compiled>({ limit: 20 })

function compiled(pattern: string): Compiled {
  return getOrMake(recent, pattern, () => compile(pattern))
}

export function isLiteral(pattern: string): boolean {
  // Only parses: V8 compiles a regular expression on first use.
  return !/[\\^$.*+?()[\]{}|]/.test(pattern) || !attempt(() => new RegExp(pattern, 'i'))
}

/** The text takes too long to match here: a thread can do it. Never for a literal. */
export class LongText extends Error {}

function compile(pattern: string): Compiled {
  if (isLiteral(pattern)) return { matches: compileLiteral(pattern), needsEngine: false }
  const { longest, test } = compileBounded(pattern, 'i')
  const matches = (text: string) => {
    if (text.length > longest) throw new LongText('The text is too long for this pattern')
    return test(text)
  }
  return { matches, needsEngine: longest < 0 }
}

/** The native search is fastest, but its worst case is the product of both lengths. */
const MOST_FOR_REGEXP = 64

function compileLiteral(literal: string): (text: string) => boolean {
  if (literal.length > MOST_FOR_REGEXP) {
    const isIn = compileFind(foldText(literal))
    return (text) => isIn(foldText(text))
  }
  const expression = literalExpression(literal)
  return (text) => expression.test(text)
}

function literalExpression(literal: string): RegExp {
  return new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
}

interface Matched {
  readonly bits: Uint8Array
  readonly time: number
}

interface Job {
  readonly patterns: readonly string[]
  readonly expressions: readonly (RegExp | string)[]
  readonly texts: readonly string[]
  readonly inputs: readonly string[]
  readonly re2: string
  readonly limit: number
}

/** A pattern that took too long or too much memory gets less time for a while: repeats would block the thread. */
const SOON = 100
const A_WHILE = 10_000
const MOST_SUSPECTS = 100

const MOST_WAITING = 100

const MEGABYTES = 512

/**
 * Matches patterns over long texts by re2js, and what that does not support (lookaround, backreferences) by V8, which
 * may take years: in a thread, terminated when it takes too long.
 */
export class PatternEngine {
  readonly #suspects = new Lru<string, number>({ limit: MOST_SUSPECTS })
  readonly #thread: JobThread<Job, Matched>

  constructor({ idle, start, makeThread = makeEngineThread }: Partial<JobThreadOptions<Job>> = {}) {
    const limit = (job: Job) => this.#limitOf(job)
    this.#thread = new JobThread({ makeThread, most: MOST_WAITING, limit, idle, start })
  }

  /** Rejects when it takes longer than the limit. @param isWanted checked when its turn comes, to skip it */
  async match(
    patterns: readonly string[],
    texts: readonly string[],
    limit: number,
    isWanted?: () => boolean,
  ): Promise<Matched> {
    const expressions = patterns.map(expressionFor)
    const isForRe2 = expressions.some((expression) => typeof expression === 'string')
    const inputs = isForRe2 ? texts.map(RE2_INPUTS.i) : []
    const re2 = isForRe2 ? re2Path() : ''
    try {
      return await this.#thread.run({ patterns, expressions, texts, inputs, re2, limit }, isWanted)
    } catch (error) {
      if (!(error instanceof JobError)) throw error
      // A pattern may also run out of memory, or be too big to compile.
      const isItsFault = error.fault === 'slow' || error.fault === 'died'
      if (isItsFault) this.#suspects.set(patterns.join('\n'), performance.now())
      throw tooSlow()
    }
  }

  #limitOf({ patterns, limit }: Job): number {
    const since = performance.now() - (this.#suspects.get(patterns.join('\n')) ?? Number.NEGATIVE_INFINITY)
    return since < A_WHILE ? Math.min(limit, SOON) : limit
  }
}

function makeEngineThread(): Worker {
  return makeThread(ENGINE_THREAD, { resourceLimits: { maxOldGenerationSizeMb: MEGABYTES } })
}

/** For V8 or, as a string, for re2js. */
function expressionFor(pattern: string): RegExp | string {
  if (isLiteral(pattern)) return literalExpression(pattern)
  const { source, isForRe2 } = translate(pattern, 'i')
  return isForRe2 ? source : new RegExp(pattern, 'i')
}

export const ENGINE_THREAD: string = `
const { parentPort } = require('node:worker_threads')

parentPort.on('message', ({ expressions, texts, inputs, re2 }) => {
  const start = performance.now()
  const tests = expressions.map((expression) => {
    if (typeof expression !== 'string') return (place) => expression.test(texts[place])
    const compiled = require(re2).RE2JS.compile(expression)
    return (place) => compiled.test(inputs[place])
  })
  const bits = Uint8Array.from(texts, (_, place) => (tests.some((test) => test(place)) ? 1 : 0))
  parentPort.postMessage({ bits, time: performance.now() - start }, [bits.buffer])
})
parentPort.postMessage('ready')
`

export function tooSlow(): StorageError {
  return new StorageError(
    'PATTERN_TOO_SLOW',
    'A _like pattern takes too long. Write it without lookaround, backreferences and long repeats, or filter by something else, too, so that it is tried on fewer rows.',
  )
}
