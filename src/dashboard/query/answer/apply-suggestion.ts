import type { IgnoredPart } from '../../../exchange.ts'

/** The request with what was probably meant: another parameter with the same value, or another path. */
export function applySuggestion(target: string, { name, suggestion }: IgnoredPart): string {
  if (suggestion === undefined) return target
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  if (name.startsWith('/')) return path.replace(name, () => suggestion) + target.slice(path.length)
  const pairs = target.slice(path.length + 1).split('&')
  const winner = WITHOUT.exec(suggestion)?.[1]
  const meant =
    winner === undefined
      ? pairs.map((pair) => (nameOf(pair) === name ? rename(pair, suggestion) : pair))
      : pairs.filter((pair) => nameOf(pair) !== winner)
  return `${path}?${meant.join('&')}`
}

/** `_per_page without _limit` */
const WITHOUT = / without (.+)$/

function nameOf(pair: string): string | undefined {
  return new URLSearchParams(pair).keys().next().value
}

function rename(pair: string, suggestion: string): string {
  // It may say what the value should be, too.
  if (suggestion.includes('=')) return suggestion
  const [key = ''] = pair.split('=', 1)
  return encodeURIComponent(suggestion) + pair.slice(key.length)
}
