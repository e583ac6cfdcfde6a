import { widest } from '../../query/value/comparisons.ts'
import type { Condition, Operator } from '../../types.ts'
import { beginning, isClean, isNarrow, MOST_CHARACTERS } from '../layout/clean-text.ts'
import { BOOLEAN, INSIDE_LIST, LIST, LONG, OBJECT, UNCLEAN, WIDE } from '../layout/row-facts.ts'
import type { ColumnFacts, Shape } from '../layout/shape.ts'
import { columnOf, NOWHERE, slotsOf, type Values } from './columns.ts'
import { narrowByWords } from './narrow-by-words.ts'

/** A test of described rows. Finds at least those that pass; if it is exact, no others. */
export interface Test {
  readonly sql: string
  readonly isExact: boolean
}

/** Only the rows themselves can tell. */
const UNKNOWN: Test = { sql: 'true', isExact: false }
const ALWAYS: Test = { sql: 'true', isExact: true }
const NEVER: Test = { sql: 'false', isExact: true }

/** A column with its slots, as far as they tell everything. */
interface Column extends ColumnFacts {
  readonly numbers: string | undefined
  readonly texts: string | undefined
}

export function compileCondition(condition: Condition, shape: Shape, given: Values): Test {
  const { path, op, values } = condition
  const facts = columnOf(shape, path)
  if (facts?.count === 0) return op === 'null' && values.at(-1) === 'true' ? ALWAYS : NEVER
  const { areComplete, ...slots } = slotsOf(facts ?? NOWHERE)
  const isOneText = facts !== undefined && !(facts.bits & (LIST | OBJECT | INSIDE_LIST))
  const compile = isOneText && areComplete ? COMPILERS[op] : undefined
  if (compile && facts) return compile({ ...facts, ...slots }, values, given)
  const sql = narrowByWords(condition, given, { isOneText, areAllThere: shape.wordless === 0 })
  return sql === undefined ? UNKNOWN : { sql, isExact: false }
}

type Compiler = (column: Column, values: readonly string[], given: Values) => Test

/** Others are tests of parts of texts, which slots do not tell. */
const COMPILERS: { readonly [O in Operator]?: Compiler } = {
  eq: equals,
  in: equals,
  ne: differs,
  nin: differs,
  null: (column, values) => (values.at(-1) === 'true' ? not(isThere(column)) : isThere(column)),
  gte: byBound('>=', 'low'),
  gt: byBound('>', 'low'),
  lte: byBound('<=', 'high'),
  lt: byBound('<', 'high'),
  between,
}

export function any(tests: readonly Test[]): Test {
  if (tests.length === 0) return NEVER
  return {
    sql: `(${tests.map(({ sql }) => sql).join(' OR ')})`,
    isExact: tests.every(({ isExact }) => isExact),
  }
}

export function all(tests: readonly Test[]): Test {
  if (tests.length === 0) return ALWAYS
  return {
    sql: `(${tests.map(({ sql }) => sql).join(' AND ')})`,
    isExact: tests.every(({ isExact }) => isExact),
  }
}

/** What is not exact may find too much, so its opposite would find too little. */
export function not({ sql, isExact }: Test): Test {
  // Its values were given: they stay in the statement, where they get their types.
  return isExact ? { sql: `(${sql}) IS NOT TRUE`, isExact } : { sql: `(true OR ${sql})`, isExact }
}

function isThere({ numbers, texts }: Column): Test {
  return any(
    [numbers, texts].filter((slot) => slot !== undefined).map((slot) => exact(`${slot} IS NOT NULL`)),
  )
}

function exact(sql: string): Test {
  return { sql, isExact: true }
}

/** A number equals its canonical text, and no other. */
function equals({ bits, numbers, texts }: Column, values: readonly string[], given: Values): Test {
  const tests: Test[] = []
  const canonical = values.filter((value) => String(Number(value)) === value).map(Number)
  if (numbers && canonical.length > 0)
    tests.push(exact(`${numbers} = ANY(${given.add(canonical.map(String))}::float8[])`))
  if (texts && values.length > 0) {
    const isWhole = values.every((value) => isClean(value) && value.length <= MOST_CHARACTERS)
    tests.push({
      sql: `${texts} = ANY(${given.add(values.map(beginning))}::text[])`,
      isExact: isWhole && !(bits & (LONG | UNCLEAN)),
    })
  }
  return any(tests)
}

function differs(column: Column, values: readonly string[], given: Values): Test {
  const equal = equals(column, values, given)
  if (!equal.isExact) return { sql: `(${isThere(column).sql} OR ${equal.sql})`, isExact: false }
  return all([isThere(column), not(equal)])
}

/** Of several bounds the loosest counts: by number for a number, by text for a text. */
function byBound(sign: string, end: 'low' | 'high'): Compiler {
  return ({ bits, numbers, texts }, values, given) => {
    if (bits & BOOLEAN) return UNKNOWN
    const tests: Test[] = []
    const numbered = values.map(Number).filter((value) => !Number.isNaN(value))
    const number = widest(numbered, end)
    if (numbers && number !== undefined)
      tests.push(exact(`${numbers} ${sign} ${given.add(String(number))}::float8`))
    const text = widest(values, end)
    if (texts && text !== undefined) {
      tests.push(
        isSortable(bits, [text])
          ? exact(`${texts} ${sign} ${given.add(text)}`)
          : { sql: `${texts} IS NOT NULL`, isExact: false },
      )
    }
    return any(tests)
  }
}

function between({ bits, numbers, texts }: Column, values: readonly string[], given: Values): Test {
  if (bits & BOOLEAN) return UNKNOWN
  const tests: Test[] = []
  if (texts && !isSortable(bits, values)) tests.push({ sql: `${texts} IS NOT NULL`, isExact: false })
  for (let at = 0; at + 1 < values.length; at += 2) {
    const [low = '', high = ''] = values.slice(at, at + 2)
    const isNumeric = !Number.isNaN(Number(low)) && !Number.isNaN(Number(high))
    if (numbers && isNumeric) {
      const [lowest, highest] = [Number(low), Number(high)].map((end) => given.add(String(end)))
      tests.push(exact(`${numbers} BETWEEN ${lowest}::float8 AND ${highest}::float8`))
    }
    if (texts && isSortable(bits, values))
      tests.push(exact(`${texts} BETWEEN ${given.add(low)} AND ${given.add(high)}`))
  }
  return any(tests)
}

/** Whether texts are stored whole, and sort as in JavaScript. */
export function isSortable(bits: number, bounds: readonly string[] = []): boolean {
  return !(bits & (LONG | UNCLEAN | WIDE)) && bounds.every((bound) => isClean(bound) && isNarrow(bound))
}
