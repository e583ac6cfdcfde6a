import { readCsv, writeCsv } from './csv.ts'

/** What follows a field's name in the query, and how the controls call it. Nothing asks for equality. */
export const OPERATORS = {
  '': 'is',
  _eq: 'equals',
  _ne: 'is not',
  _gt: 'more than',
  _gte: 'at least',
  _lt: 'less than',
  _lte: 'at most',
  _between: 'between',
  _contains: 'contains',
  _startsWith: 'starts with',
  _endsWith: 'ends with',
  _like: 'matches',
  _in: 'is one of',
  _nin: 'is none of',
  _null: 'is empty',
} as const

export type Operator = keyof typeof OPERATORS

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[]

export interface Filter {
  readonly field: string
  readonly operator: Operator
  readonly value: string
}

/** What a field holds, in all rows that were looked at. */
export type Kind = 'number' | 'text' | 'date' | 'boolean' | 'list' | 'mixed'

const RANGES = ['_gt', '_gte', '_lt', '_lte', '_between'] as const
const LISTS = ['_in', '_nin', '_null'] as const

const FITTING: Readonly<Record<Kind, readonly Operator[]>> = {
  number: ['', '_ne', ...RANGES, ...LISTS],
  text: ['', '_ne', '_contains', '_startsWith', '_endsWith', '_like', ...LISTS],
  date: ['', '_ne', ...RANGES, '_startsWith', ...LISTS],
  boolean: ['', '_ne', '_null'],
  list: ['_contains', '_like', ...LISTS],
  mixed: OPERATOR_NAMES.filter((name) => name !== '_eq'),
}

/** The comparisons that make sense for a kind of field, and the one in use. */
export function operatorsFor(kind: Kind, current: Operator): readonly Operator[] {
  const fitting = FITTING[kind]
  return fitting.includes(current) ? fitting : [current, ...fitting]
}

/** How the value of an operator is entered. */
export function entryOf(operator: Operator): 'one' | 'two' | 'many' | 'yes-no' {
  if (operator === '_between') return 'two'
  if (operator === '_in' || operator === '_nin') return 'many'
  return operator === '_null' ? 'yes-no' : 'one'
}

const OLD = /_(?:ne|gte|lte|like)$/

/** Splits a parameter's name; `price:gt` means `price_gt`. */
export function parseFilter(key: string, value: string, isField: (name: string) => boolean): Filter {
  const mark = Math.max(key.lastIndexOf('_'), key.lastIndexOf(':'))
  const operator = OPERATOR_NAMES.find((name) => name.slice(1) === key.slice(mark + 1))
  const isSplit = mark > 0 && operator !== undefined && operator !== ''
  // A field may be called `logged_in`; json-server's own operators do not care.
  if (!isSplit || (isField(key) && !OLD.test(key))) return { field: key, operator: '', value }
  return { field: key.slice(0, mark), operator, value }
}

/** The filter with another comparison; what was entered stays as far as it fits. */
export function withOperator(filter: Filter, operator: Operator): Filter {
  const entries = entriesOf(filter)
  const kind = entryOf(operator)
  if (kind === entryOf(filter.operator)) return { ...filter, operator }
  if (kind === 'yes-no') return { ...filter, operator, value: 'true' }
  if (kind === 'two') return { ...filter, operator, value: writeCsv([entries[0] ?? '', entries[1] ?? '']) }
  return { ...filter, operator, value: kind === 'many' ? writeCsv(entries) : (entries[0] ?? '') }
}

/** `price is between 10 and 20` */
export function describeFilter(filter: Filter): string {
  const { field, operator, value } = filter
  const entries = entriesOf(filter)
  if (operator === '_null') return `${field} is ${value === 'false' ? 'not empty' : 'empty'}`
  const label = operator in IS ? `is ${OPERATORS[operator]}` : OPERATORS[operator]
  const joined = entries.join(operator === '_between' ? ' and ' : ', ')
  return `${field} ${label} ${joined || '(empty)'}`
}

const IS = { _gt: true, _gte: true, _lt: true, _lte: true, _between: true }

function entriesOf({ operator, value }: Filter): readonly string[] {
  const kind = entryOf(operator)
  if (kind === 'one') return value === '' ? [] : [value]
  return kind === 'yes-no' ? [] : readCsv(value)
}
