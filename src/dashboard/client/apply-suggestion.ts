import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { urlSegment } from '../../json/url-segment.ts'

/** Whether a suggestion is a change of the request, and not of the server or of more than one can know. */
export function canApply({ name, suggestion = '' }: IgnoredPart): boolean {
  const more = WITH.exec(suggestion)?.[1]
  const isElsewhere = suggestion.startsWith('{') || suggestion.startsWith('/') !== name.startsWith('/')
  return suggestion !== '' && !isElsewhere && (more === undefined || ADDED.test(more))
}

/** The request with what was probably meant: another parameter with the same value, or another path. */
export function applySuggestion(target: string, part: IgnoredPart): string {
  const { name, suggestion } = part
  if (suggestion === undefined || !canApply(part)) return target
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  if (name.startsWith('/')) return path.replace(name, () => suggestion) + target.slice(path.length)
  const pairs = target.slice(path.length + 1).split('&')
  return `${path}?${meantBy(pairs, name, suggestion).join('&')}`
}

/** `_per_page without _limit` */
const WITHOUT = / without (.+)$/

/** `company.name with _expand=company` */
const WITH = / with (.+)$/
const ADDED = /^_\w+=./

function meantBy(pairs: readonly string[], name: string, suggestion: string): readonly string[] {
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
  // It may say what the value should be, too.
  if (suggestion.includes('=')) return suggestion
  const [key = ''] = pair.split('=', 1)
  return urlSegment(suggestion) + pair.slice(key.length)
}
