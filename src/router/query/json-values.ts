import { OPERATORS, type Operator } from '../../query/operators.ts'

export type Scalar = string | number | boolean

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** The values of a condition as strings, given in JSON; or what is expected instead, if they make no sense. */
export function readJson(op: Operator, value: unknown): readonly string[] | { readonly wanted: string } {
  switch (OPERATORS[op].takes) {
    case 'list':
      return isScalars(value) ? value.map(String) : { wanted: 'a list of strings, numbers or booleans' }
    case 'pair':
      return isScalars(value) && value.length === 2 ? value.map(String) : { wanted: 'a list of two values' }
    case 'toggle':
      return typeof value === 'boolean' ? [String(value)] : { wanted: 'true or false' }
    case 'value':
      return isScalar(value) ? [String(value)] : { wanted: 'a string, a number or a boolean' }
  }
}

function isScalars(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value) && value.every(isScalar)
}
