import type { IgnoredPart } from '../../core/kernel/catalogue/exchange.ts'
import { urlSegment } from '../../core/kernel/json/url-segment.ts'
import { splitQuery, withQuery } from '../client/query.ts'

/** Whether a suggestion is a change of the request that can be applied as it is. */
export function canApply({ name, reason, suggestion = '' }: IgnoredPart): boolean {
  if (reason === 'wrong method') return false
  const more = WITH.exec(suggestion)?.[1]
  const isElsewhere = suggestion.startsWith('{') || suggestion.startsWith('/') !== name.startsWith('/')
  return suggestion !== '' && !isElsewhere && (more === undefined || ADDED.test(more))
}

/** The request with the suggested parameter or path. */
export function applySuggestion(target: string, part: IgnoredPart): string {
  const { name, suggestion } = part
  if (suggestion === undefined || !canApply(part)) return target
  const [path, query] = splitQuery(target)
  if (name.startsWith('/'))
    return withQuery(
      path.replace(name, () => suggestion),
      query,
    )
  return `${path}?${applyToQuery(query.split('&'), name, suggestion).join('&')}`
}

/** `_per_page without _limit` */
const WITHOUT = / without (.+)$/

/** `company.name with _expand=company` */
const WITH = / with (.+)$/
const ADDED = /^_\w+=./

function applyToQuery(pairs: readonly string[], name: string, suggestion: string): readonly string[] {
  const winner = WITHOUT.exec(suggestion)?.[1]
  if (winner !== undefined) return pairs.filter((pair) => nameOf(pair) !== winner)
  const more = WITH.exec(suggestion)?.[1]
  if (more !== undefined) return [...pairs, more]
  if (name.includes('=')) return withValue(pairs, split(name), split(suggestion))
  return pairs.map((pair) => (nameOf(pair) === name ? rename(pair, suggestion) : pair))
}

type Named = readonly [name: string, value: string]

/** `_sort=-prcie,name` with `price` for `prcie`; or with one value less, where another parameter was meant. */
function withValue(pairs: readonly string[], [name, wrong]: Named, [meant, right]: Named): readonly string[] {
  const changed = pairs.flatMap((pair) => {
    if (nameOf(pair) !== name) return [pair]
    const values = (new URLSearchParams(pair).values().next().value ?? '').split(',')
    const others = values.flatMap((value) => {
      if (value.trim().replace(/^-/, '') !== wrong && value.trim() !== wrong) return [value]
      return meant === name ? [value.replace(wrong, () => right)] : []
    })
    return others.length === 0 ? [] : [`${name}=${others.map(urlSegment).join(',')}`]
  })
  return meant === name ? changed : [...changed, `${meant}=${urlSegment(right)}`]
}

function split(text: string): Named {
  const equals = text.indexOf('=')
  return [text.slice(0, equals), text.slice(equals + 1)]
}

function nameOf(pair: string): string | undefined {
  return new URLSearchParams(pair).keys().next().value
}

function rename(pair: string, suggestion: string): string {
  // It may name the value, too.
  if (suggestion.includes('=')) return suggestion
  const [key = ''] = pair.split('=', 1)
  return urlSegment(suggestion) + pair.slice(key.length)
}
