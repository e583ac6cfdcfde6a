import type { Condition, Where } from '../types.ts'
import { compileCondition } from './condition.ts'

export type Test = (row: unknown) => boolean

/** What a row must pass, with its compiled test. */
export type Compiled = CompiledCondition | { readonly kind: 'group'; readonly passes: Test }

export interface CompiledCondition extends Condition {
  readonly kind: 'condition'
  readonly passes: Test
}

/**
 * Compiles conditions into row tests. Every one must pass, so a top-level `and` is flattened.
 * @param testOf replaces the usual test of a condition
 */
export function compileWhere(
  where: readonly Where[],
  testOf: (condition: Condition) => Test = compileCondition,
): Compiled[] {
  return where.flatMap((one) => ('and' in one ? compileWhere(one.and, testOf) : [compile(one, testOf)]))
}

function compile(where: Where, testOf: (condition: Condition) => Test): Compiled {
  if ('path' in where) return { ...where, kind: 'condition', passes: testOf(where) }
  if ('and' in where) {
    const tests = compileWhere(where.and, testOf).map(({ passes }) => passes)
    return { kind: 'group', passes: everyOf(tests) }
  }
  if ('or' in where) {
    const tests = where.or.map((part) => compile(part, testOf).passes)
    return { kind: 'group', passes: someOf(tests) }
  }
  const { passes } = compile(where.not, testOf)
  return { kind: 'group', passes: (row) => !passes(row) }
}

export function everyOf(tests: readonly Test[]): Test {
  const [only] = tests
  if (tests.length === 1 && only) return only
  return (row) => {
    for (const test of tests) if (!test(row)) return false
    return true
  }
}

function someOf(tests: readonly Test[]): Test {
  return (row) => {
    for (const test of tests) if (test(row)) return true
    return false
  }
}
