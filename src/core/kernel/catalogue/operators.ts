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
  /** On the page. */
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
  /** `prefix` of a pattern: only where it is anchored text. */
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

const EQUALITY = { fits: ANY, takes: 'value', compares: 'equality' } as const
const ORDER = { fits: ORDERED, takes: 'value', compares: 'order' } as const
const PATTERN = { fits: ['text'], takes: 'value', compares: 'pattern' } as const

/** Every operator, as spelled after `_` or `:` and in `_where`. This is the only list of them. */
const ROWS = {
  eq: { ...EQUALITY, label: 'is', means: 'equal to; repeated: one of', index: 'keys', test: equals },
  ne: {
    ...EQUALITY,
    label: 'is not',
    means: 'not equal to; repeated: none of',
    isOld: true,
    isNegated: true,
    test: equals,
    aliases: ['neq', 'not'],
  },
  gt: {
    ...ORDER,
    label: 'more than',
    means: 'greater than',
    index: { low: 'excluded' },
    test: (values) => overEntries(byBound(values, 'low', (bound, value) => bound < value)),
  },
  gte: {
    ...ORDER,
    label: 'at least',
    means: 'greater than or equal to',
    isOld: true,
    index: { low: 'included' },
    test: (values) => byBound(values, 'low', (bound, value) => bound <= value),
    aliases: ['min'],
  },
  lt: {
    ...ORDER,
    label: 'less than',
    means: 'less than',
    index: { high: 'excluded' },
    test: (values) => overEntries(byBound(values, 'high', (bound, value) => bound > value)),
  },
  lte: {
    ...ORDER,
    label: 'at most',
    means: 'less than or equal to',
    isOld: true,
    index: { high: 'included' },
    test: (values) => byBound(values, 'high', (bound, value) => bound >= value),
    aliases: ['max'],
  },
  between: {
    ...ORDER,
    label: 'between',
    means: 'from, to, both ends included: `10,20`',
    takes: 'pair',
    index: { low: 'included', high: 'included' },
    test: (values) => overEntries(between(values)),
  },
  contains: {
    ...PATTERN,
    label: 'contains',
    means: 'contains, ignoring case',
    onLists: 'has an entry equal to this, ignoring case',
    test: (values) => overEntries(matchesText(compileContains(values)), equalsFolded(values)),
  },
  startsWith: {
    ...PATTERN,
    label: 'starts with',
    means: 'starts with, ignoring case',
    fits: ['text', 'date'],
    index: 'prefix',
    test: (values) => overEntries(matchesText(compileStartsWith(values))),
    aliases: ['starts'],
  },
  endsWith: {
    ...PATTERN,
    label: 'ends with',
    means: 'ends with, ignoring case',
    test: (values) => overEntries(matchesText(compileEndsWith(values))),
    aliases: ['ends'],
  },
  like: {
    ...PATTERN,
    label: 'matches',
    means: 'contains, or matches a regular expression',
    isOld: true,
    index: 'prefix',
    test: matchesLike,
    aliases: ['regex'],
  },
  in: {
    ...EQUALITY,
    label: 'is one of',
    means: 'one of a comma-separated list',
    onLists: 'has an entry of a comma-separated list',
    takes: 'list',
    index: 'keys',
    test: (values) => overEntries(equals(values)),
  },
  nin: {
    ...EQUALITY,
    label: 'is none of',
    means: 'none of a comma-separated list',
    onLists: 'has no entry of a comma-separated list',
    takes: 'list',
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
