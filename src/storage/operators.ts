/** Every operator, as spelled after `_` or `:` and in `_where`. */
export const OPERATORS = [
  ...(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'between', 'null'] as const),
  ...(['like', 'contains', 'startsWith', 'endsWith'] as const),
] as const

export type Operator = (typeof OPERATORS)[number]

const NAMES: ReadonlySet<string> = new Set(OPERATORS)

export function isOperator(word: string): word is Operator {
  return NAMES.has(word)
}
