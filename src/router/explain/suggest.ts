import type { Ignored } from '../../storage/types.ts'
import { OPERATORS } from '../query/operators.ts'
import { KNOWN_WORDS } from './known-words.ts'
import { findNearest } from './nearest.ts'

/**
 * The nearest thing that would have worked in the place of a parameter.
 * @param fields that rows have
 */
export function suggest({ name, reason, detail }: Ignored, fields: readonly string[]): string | undefined {
  switch (reason) {
    case 'unreadable value':
      return exampleOf(name)
    case 'another parameter wins':
      return `${name} without ${detail}`
    default:
      return suggestName(name, fields)
  }
}

/** `views_gtt` → `views_gt`, `veiws` → `views`, `_sotr` → `_sort`. */
function suggestName(name: string, fields: readonly string[]): string | undefined {
  const [, path, mark = '', suffix = ''] = /^(.+)([_:])([a-zA-Z]+)$/s.exec(name) ?? []
  const whole = findNearest(name, [...fields, ...KNOWN_WORDS])
  if (path === undefined) return whole?.name
  const field = fields.includes(path) ? { name: path, distance: 0 } : findNearest(path, fields)
  const isOperator = OPERATORS.some((operator) => operator === suffix)
  const operator = isOperator ? { name: suffix, distance: 0 } : findNearest(suffix, OPERATORS)
  if (!field || !operator) return whole?.name
  const distance = field.distance + operator.distance
  return whole && whole.distance <= distance ? whole.name : `${field.name}${mark}${operator.name}`
}

/** What a readable value looks like. */
function exampleOf(name: string): string {
  if (/[_:]between$/.test(name)) return `${name}=10,20`
  if (/[_:]null$/.test(name)) return `${name}=true`
  return name === '_per_page' ? `${name}=10` : `${name}=a,b`
}
