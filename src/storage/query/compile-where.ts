import type { Condition, Where } from '../types.ts'
import { compileCondition } from './condition.ts'

export type Test = (row: unknown) => boolean

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
  const [only = () => true] = tests
  if (kind === 'not') return { kind, parts, passes: (row) => !only(row) }
  return { kind, parts, passes: kind === 'or' ? someOf(tests) : everyOf(tests) }
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
