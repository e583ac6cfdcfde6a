import { PARAMETER_NAMES, PARAMETERS } from '../../query/parameters.ts'
import type { Ignored } from '../../storage/types.ts'
import { isGiven } from './parse-window.ts'
import { strings } from './strings.ts'

type Query = Record<string, unknown>

/** Parameters that nobody can have meant, whatever the rows are: `_limit=ten`, `_order=descending`, `price[gte]=10`. */
export function unreadableIn(query: Query, keywords: ReadonlySet<string>): readonly Ignored[] {
  const ignored: Ignored[] = []
  for (const name of Object.keys(query)) {
    const value = query[name]
    const inner = typeof value === 'object' ? bracketedName(value) : undefined
    if (inner !== undefined) {
      ignored.push(
        keywords.has(name)
          ? unreadable(name)
          : { name: `${name}[${inner}]`, reason: 'matches nothing', detail: name },
      )
    } else if (NUMBERS.has(name) && isGiven(value) && Number.isNaN(Number.parseInt(String(value), 10))) {
      ignored.push(unreadable(name, value))
    } else if (name === '_order') ignored.push(...orderFault(query))
  }
  return ignored
}

const NUMBERS: ReadonlySet<string> = new Set(
  PARAMETER_NAMES.filter((name) => {
    const { takes, on, givesWay } = PARAMETERS[name]
    return (takes === 'count' || takes === 'positive') && on === 'list' && !givesWay
  }),
)

/** `gte` in `price[gte]=10`; undefined for a list. */
function bracketedName(value: unknown): string | undefined {
  if (value === null || Array.isArray(value) || strings(value).length > 0) return undefined
  return Object.keys(Object(value))[0]
}

function orderFault({ _sort, _sortField, _order }: Query): readonly Ignored[] {
  if (!isGiven(_order)) return []
  const orders = strings(_order).join(',').split(',')
  if (!orders.every((order) => /^(?:asc|desc|)$/i.test(order))) return [unreadable('_order', _order)]
  return isGiven(_sort) || isGiven(_sortField) ? [] : [missing('_order', '_sort')]
}

export function unreadable(name: string, value?: unknown): Ignored {
  return { name, reason: 'unreadable value', detail: strings(value)[0] ?? '' }
}

export function missing(name: string, other: string): Ignored {
  return { name, reason: 'another parameter is missing', detail: other }
}
