import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { isKeyword } from '../../catalogue/parameters.ts'
import { isObject } from '../../json/values.ts'
import type { RequestShape } from './request-shape.ts'
import { filterName } from './stored-names.ts'

/** Parameters without effect, by the names that the client gave them. */
export function shownParts(
  parts: readonly IgnoredPart[],
  { sent, shape }: RequestShape,
): readonly IgnoredPart[] {
  const { showKey } = shape
  return parts.map((part) => {
    const [name = '', ...value] = part.name.split('=')
    const theirs = sent.get(name)
    const { suggestion } = part
    return {
      ...part,
      ...(theirs !== undefined && { name: [theirs, ...value].join('=') }),
      ...(suggestion !== undefined && showKey && { suggestion: shownParameter(suggestion, showKey) }),
    }
  })
}

/** `first_name_like` → `firstName_like`, `_sort=first_name` → `_sort=firstName` */
function shownParameter(text: string, showKey: (name: string) => string): string {
  const path = (name: string) => name.split('.').map(showKey).join('.')
  const [name = '', ...value] = text.split('=')
  if (text.startsWith('/')) return text
  return isKeyword(name) ? [name, ...value.map(path)].join('=') : filterName(text, path)
}

/** An explanation in the names of fields and parameters that clients use. */
export function shownExplanation(data: unknown, request: RequestShape): unknown {
  if (!isObject(data)) return data
  const { ignored, ...rest } = data
  const parts = Array.isArray(ignored) ? shownParts(ignored, request) : ignored
  return { ...withShownFields(rest, request.shape.showKey), ignored: parts }
}

type ShowKey = ((name: string) => string) | undefined

function withShownFields(data: Record<string, unknown>, showKey: ShowKey): Record<string, unknown> {
  if (!showKey) return data
  const path = (text: unknown) => String(text).split('.').map(showKey).join('.')
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const isPaths = ['fields', 'omit', 'embed', 'expand'].includes(key) && Array.isArray(inner)
        if (isPaths) return [key, inner.map(path)]
        return [key, key === 'field' ? path(inner) : shown(inner)]
      }),
    )
  }
  return Object(shown(data))
}
