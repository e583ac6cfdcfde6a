import type { Operator } from '../../operators.ts'
import type { Condition, Row } from '../../types.ts'

export interface Literal extends Condition {
  readonly isNegated: boolean
}

/** The path at which probes have their values. */
export const PROBED = 'list.value'

const ORDERS: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte', 'between'])
const PATTERNS: ReadonlySet<Operator> = new Set(['like', 'contains', 'startsWith', 'endsWith'])

/** An empty bound is what is left of a variable that was not set. */
export function isLeftEmpty({ op, values }: Condition): boolean {
  return ORDERS.has(op) && values.includes('')
}

/** Whether literals match nothing if they match no probe: few probes are an example of what a pattern matches. */
export function canBeRuledOut(literals: readonly Literal[]): boolean {
  return !literals.some(({ op }) => PATTERNS.has(op))
}

/** Rows that literals on one field tell apart. @param id the field that every row has, with one value, not empty */
export function probesFor(literals: readonly Literal[], id: string): readonly Row[] {
  // Bounds that are numbers are meant for numbers.
  const isOfNumbers = literals.every(({ op, values }) => ORDERS.has(op) && values.every(isNumeric))
  const named = (some: readonly Literal[]) =>
    some.flatMap(namedIn).filter((value) => !isOfNumbers || typeof value === 'number')
  const isId = literals[0]?.path === id
  // A pattern that the empty text does not match is for texts that are not empty.
  const mayBeEmpty = !isId && literals.some(({ op }) => PATTERNS.has(op))
  const texts = isOfNumbers ? [] : [...TEXTS, ...(mayBeEmpty ? [''] : [])]
  const values = [...NUMBERS, ...texts, ...named(literals)]
  const rows = values.map((value) => rowOf([value]))
  if (isId) return rows
  const isWanted = ({ op, isNegated }: Literal) => (op === 'ne' || op === 'nin') === isNegated
  const wanted = named(literals.filter(isWanted))
  const unwanted = named(literals.filter((literal) => !isWanted(literal)))
  // A path may lead to several values of one row.
  for (const several of [values, wanted, unwanted]) if (several.length > 0) rows.push(rowOf(several))
  return literals.some(({ op }) => op === 'null') ? [...rows, {}] : rows
}

const NUMBERS = [-Number.MAX_VALUE, -1, 0, 1, Number.MAX_VALUE]
const TEXTS = ['\u0001', ' ', '0', 'a', '~', '日本', 'a'.repeat(1000)]

function rowOf(values: readonly unknown[]): Row {
  return { list: values.map((value) => ({ value })) }
}

/** The values that a literal names, as text and as numbers; of a pattern, its words and letters, too. */
function namedIn({ op, values }: Literal): readonly unknown[] {
  if (op === 'null') return []
  const parts = op === 'like' ? values.flatMap((text) => [...text, ...(text.match(/\w+/g) ?? [])]) : []
  const texts = [...new Set([...values, ...parts])].filter((text) => text !== '')
  return [...texts, ...texts.filter(isNumeric).map(Number).filter(Number.isFinite)]
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text))
}
