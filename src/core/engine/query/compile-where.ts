import { OPERATORS } from '../../kernel/catalogue/operators.ts'
import type { Condition, Where } from '../types.ts'
import { leavesOf } from '../where.ts'
import { compileLike } from './like.ts'
import { compilePath, type FieldPath, somePath } from './path.ts'

export type Test = (row: unknown) => boolean

/** @param share of the patterns in the whole, each of which may have to match a row before the next pause */
export function compileWhere(where: Where, share?: number): Test {
  if ('path' in where) return compileCondition(where, share ?? where.values.length)
  const patterns = share ?? countPatterns(where)
  if ('not' in where) {
    const passes = compileWhere(where.not, patterns)
    return (row) => !passes(row)
  }
  const isAnd = 'and' in where
  const tests = (isAnd ? where.and : where.or).map((part) => compileWhere(part, patterns))
  return isAnd ? everyOf(tests) : someOf(tests)
}

function countPatterns(where: Where): number {
  return leavesOf(where).reduce((sum, { op, values }) => sum + (op === 'like' ? values.length : 0), 0)
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

function compileCondition({ path: text, op, values }: Condition, share: number): Test {
  const path = compilePath(text)
  if (op === 'null') return isNull(path, values.at(-1) === 'true')
  const { isNegated, test: compileTest } = OPERATORS[op]
  const test = compileTest(values, (pattern) => compileLike(pattern, share))
  return isNegated ? differs(path, test) : (row) => somePath(row, path, test)
}

/** At least one value, and none of them equal: `ne` is what `eq` leaves out, except null. */
function differs(path: FieldPath, isEqual: Test): Test {
  let isThere = false
  function isEqualAndThere(value: unknown): boolean {
    isThere = true
    return isEqual(value)
  }
  return (row) => {
    isThere = false
    return !somePath(row, path, isEqualAndThere) && isThere
  }
}

function isNull(path: FieldPath, isWanted: boolean): Test {
  return (row) => somePath(row, path, () => true) !== isWanted
}
