import { settle, type Verdict, type Work } from '../../work/in-slices.ts'
import type { Condition, Where } from '../types.ts'
import { compileCondition } from './condition.ts'

type Test = (row: unknown) => Verdict

/** What a row must pass, with its compiled test. */
export type Compiled = CompiledCondition | CompiledGroup

export interface CompiledCondition extends Condition {
  readonly kind: 'condition'
  readonly passes: Test
}

interface CompiledGroup {
  readonly kind: 'and' | 'or' | 'not'
  readonly parts: readonly Compiled[]
  readonly passes: Test
}

/**
 * Compiles conditions into row tests, with each path split and each comparison chosen once. Every one must pass,
 * so a top-level `and` is flattened.
 * @param testOf replaces the usual test of a condition
 */
export function compileWhere(
  where: readonly Where[],
  testOf: (condition: Condition) => Test = compileCondition,
): Compiled[] {
  return where.flatMap((one) => ('and' in one ? compileWhere(one.and, testOf) : [compile(one, testOf)]))
}

function compile(where: Where, testOf: (condition: Condition) => Test): Compiled {
  if ('and' in where) return group('and', compileWhere(where.and, testOf))
  if ('or' in where)
    return group(
      'or',
      where.or.map((part) => compile(part, testOf)),
    )
  if ('not' in where) return group('not', [compile(where.not, testOf)])
  return { ...where, kind: 'condition', passes: testOf(where) }
}

function group(kind: CompiledGroup['kind'], parts: readonly Compiled[]): CompiledGroup {
  const tests = parts.map(({ passes }) => passes)
  if (kind === 'not') return { kind, parts, passes: negate(tests[0] ?? (() => true)) }
  return { kind, parts, passes: untilOne(tests, kind === 'or') }
}

/** Short-circuits: the first test that returns `end` decides; otherwise the result is the opposite. */
export function untilOne(tests: readonly Test[], end: boolean): Test {
  function* later(late: Work<boolean>, row: unknown, next: number): Work<boolean> {
    if ((yield* late) === end) return end
    for (let at = next; at < tests.length; at++) {
      if ((yield* settle(tests[at]?.(row) ?? !end)) === end) return end
      yield
    }
    return !end
  }
  return (row) => {
    for (let at = 0; at < tests.length; at++) {
      const verdict = tests[at]?.(row) ?? !end
      if (verdict === end) return end
      if (typeof verdict !== 'boolean') return later(verdict, row, at + 1)
    }
    return !end
  }
}

function negate(test: Test): Test {
  function* later(verdict: Work<boolean>): Work<boolean> {
    return !(yield* verdict)
  }
  return (row) => {
    const verdict = test(row)
    return typeof verdict === 'boolean' ? !verdict : later(verdict)
  }
}

/** Number of tests and patterns per row. */
export function weightOf(compiled: Compiled): number {
  if (compiled.kind !== 'condition') return compiled.parts.reduce((sum, part) => sum + weightOf(part), 1)
  return 1 + (WEIGHTY.has(compiled.op) ? compiled.values.length : 0)
}

const WEIGHTY: ReadonlySet<string> = new Set(['like', 'contains', 'startsWith', 'endsWith', 'between'])
