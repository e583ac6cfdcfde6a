import {
  between,
  byBound,
  type Compare,
  equals,
  equalsFolded,
  matchesLike,
  matchesText,
  overEntries,
} from './comparisons.ts'
import { compileContains, compileEndsWith, compileStartsWith } from './text.ts'

type Values = readonly string[]

export type FieldKind = 'number' | 'text' | 'date' | 'boolean'

export interface OperatorInfo {
  /** In the dashboard. */
  readonly label: string
  /** In API docs, after "a field …". */
  readonly means: string
  /** The same for a list of scalars; absent if hardly useful there. */
  readonly onLists?: string
  readonly fits: readonly FieldKind[]
  /** In a URL: as it is, or as `a,b`, `10,20`, `true`. */
  readonly takes: 'value' | 'list' | 'pair' | 'toggle'
  readonly compares: 'equality' | 'order' | 'pattern' | 'presence'
  /** From json-server 0.17.4: never the end of a field's name, and a list counts as one string. */
  readonly isOld?: true
  readonly index?: 'keys' | 'prefix' | Bounds
  /** Passes if there are values, and the test fails for all of them. */
  readonly isNegated?: true
  readonly test: (values: Values, compileLike: (pattern: string) => (text: string) => boolean) => Compare
  readonly aliases?: readonly string[]
}

interface Bounds {
  readonly low?: 'included' | 'excluded'
  readonly high?: 'included' | 'excluded'
}

const ANY: readonly FieldKind[] = ['number', 'text', 'date', 'boolean']
/** Strings are ordered too, but that is rarely useful. */
const ORDERED: readonly FieldKind[] = ['number', 'date']

/** Every operator, as spelled after `_` or `:` and in `_where`. This is the only list of them. */
const ROWS = {
  eq: {
    label: 'is',
    means: 'equal to; repeated: one of',
    fits: ANY,
    takes: 'value',
    compares: 'equality',
    index: 'keys',
    test: equals,
  },
  ne: {
    label: 'is not',
    means: 'not equal to; repeated: none of',
    fits: ANY,
    takes: 'value',
    compares: 'equality',
    isOld: true,
    isNegated: true,
    test: equals,
    aliases: ['neq', 'not'],
  },
  gt: {
    label: 'more than',
    means: 'greater than',
    fits: ORDERED,
    takes: 'value',
    compares: 'order',
    index: { low: 'excluded' },
    test: (values) => overEntries(byBound(values, 'low', (bound, value) => bound < value)),
  },
  gte: {
    label: 'at least',
    means: 'greater than or equal to',
    fits: ORDERED,
    takes: 'value',
    compares: 'order',
    isOld: true,
    index: { low: 'included' },
    test: (values) => byBound(values, 'low', (bound, value) => bound <= value),
    aliases: ['min'],
  },
  lt: {
    label: 'less than',
    means: 'less than',
    fits: ORDERED,
    takes: 'value',
    compares: 'order',
    index: { high: 'excluded' },
    test: (values) => overEntries(byBound(values, 'high', (bound, value) => bound > value)),
  },
  lte: {
    label: 'at most',
    means: 'less than or equal to',
    fits: ORDERED,
    takes: 'value',
    compares: 'order',
    isOld: true,
    index: { high: 'included' },
    test: (values) => byBound(values, 'high', (bound, value) => bound >= value),
    aliases: ['max'],
  },
  between: {
    label: 'between',
    means: 'from, to, both ends included: `10,20`',
    fits: ORDERED,
    takes: 'pair',
    compares: 'order',
    index: { low: 'included', high: 'included' },
    test: (values) => overEntries(between(values)),
  },
  contains: {
    label: 'contains',
    means: 'contains, ignoring case',
    onLists: 'has an entry equal to this, ignoring case',
    fits: ['text'],
    takes: 'value',
    compares: 'pattern',
    test: (values) => overEntries(matchesText(compileContains(values)), equalsFolded(values)),
  },
  startsWith: {
    label: 'starts with',
    means: 'starts with, ignoring case',
    fits: ['text', 'date'],
    takes: 'value',
    compares: 'pattern',
    index: 'prefix',
    test: (values) => overEntries(matchesText(compileStartsWith(values))),
    aliases: ['starts'],
  },
  endsWith: {
    label: 'ends with',
    means: 'ends with, ignoring case',
    fits: ['text'],
    takes: 'value',
    compares: 'pattern',
    test: (values) => overEntries(matchesText(compileEndsWith(values))),
    aliases: ['ends'],
  },
  like: {
    label: 'matches',
    means: 'contains, or matches a regular expression',
    fits: ['text'],
    takes: 'value',
    compares: 'pattern',
    isOld: true,
    test: matchesLike,
    aliases: ['regex'],
  },
  in: {
    label: 'is one of',
    means: 'one of a comma-separated list',
    onLists: 'has an entry of a comma-separated list',
    fits: ANY,
    takes: 'list',
    compares: 'equality',
    index: 'keys',
    test: (values) => overEntries(equals(values)),
  },
  nin: {
    label: 'is none of',
    means: 'none of a comma-separated list',
    onLists: 'has no entry of a comma-separated list',
    fits: ANY,
    takes: 'list',
    compares: 'equality',
    isNegated: true,
    test: (values) => overEntries(equals(values)),
  },
  null: {
    label: 'is empty',
    means: '`true`: null or missing; `false`: neither',
    onLists: '`true`: null or missing; `false`: neither',
    fits: ANY,
    takes: 'toggle',
    compares: 'presence',
    test: () => () => true,
  },
} as const satisfies Readonly<Record<string, OperatorInfo>>

export type Operator = keyof typeof ROWS

export const OPERATORS: Readonly<Record<Operator, OperatorInfo>> = ROWS

export const OPERATOR_NAMES = Object.keys(ROWS) as readonly Operator[]

export function isOperator(word: string): word is Operator {
  return Object.hasOwn(ROWS, word)
}
