import type { IgnoredPart } from '../../../core/kernel/catalogue/exchange.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { styleOf } from '../key-style.ts'
import type { ResponseShape } from '../response-shape.ts'
import { PARAMETERS } from '../shape-template.ts'
import { filterName, type Stored } from './stored-names.ts'
import { lookupOf } from './translate-filter.ts'

/** Names as a client knows them. */
interface Named {
  readonly shape: ResponseShape
  /** The client's names of our parameters. */
  readonly sent: ReadonlyMap<string, string>
  readonly stored: Stored | undefined
  /** The client's parameters that have no readable value. */
  readonly unread: readonly string[]
}

/** Parameters without effect, and what may be meant, by the names that clients use. */
export function shownParts(parts: readonly IgnoredPart[], request: Named): readonly IgnoredPart[] {
  const { sent, shape, unread } = request
  if (sent.size === 0 && !shape.showKey) return parts
  const shown = parts.map((part) => {
    const { suggestion } = part
    const name = part.name.replace(TOKENS, (token) => shownName(token, request))
    if (suggestion === undefined) return { ...part, name }
    const isOurs = (token: string) => part.name === token || part.name.startsWith(`${token}=`)
    const meant = suggestion.replace(TOKENS, (token) =>
      isOurs(token) ? shownName(token, request) : suggestedName(token, part.name, request),
    )
    return { ...part, name, suggestion: meant }
  })
  const others = unread.map((name) => ({ name, reason: 'unreadable value', suggestion: `${name}=10` }))
  return others.length > 0 ? [...shown, ...others] : shown
}

/** Parameters and paths in a message. */
const TOKENS = /[\w$[\].:-]+/g

/** A message about a query or a patch, in the names that the client sent. */
export function shownMessage(message: string, request: Named): string {
  return message.replace(TOKENS, (token) => {
    const [, name = token, mark = ''] = /^(.*?)([.:]?)$/s.exec(token) ?? []
    return shownName(name, request) + mark
  })
}

function shownName(name: string, request: Named): string {
  const { sent, stored } = request
  const { showKey } = request.shape
  // Each condition has a place of its own in the `_where` that was made of them.
  const theirs = sent.get(name) ?? sent.get(name.slice(0, name.lastIndexOf(']') + 1))
  if (theirs !== undefined || !showKey || !stored || isTheirs(name, request)) return theirs ?? name
  const rename = (part: string) => (isStored(part, showKey, stored) ? showKey(part) : part)
  return filterName(name, stored, { rename })
}

function isTheirs(name: string, { sent, shape }: Named): boolean {
  return [...sent.values(), ...Object.values(shape.template.params ?? {})].includes(name)
}

/** Other words are left alone: no name of several words is one. */
function isStored(name: string, showKey: (name: string) => string, stored: Stored): boolean {
  return styleOf(name) !== undefined && stored(showKey(name)) === name
}

function suggestedName(name: string, of: string, request: Named): string {
  const params: Readonly<Record<string, string | undefined>> = request.shape.template.params ?? {}
  const [key = ''] =
    Object.entries(PARAMETERS).find(([, [ours, type]]) => ours === name && type === 'string') ?? []
  const theirs = params[name === '_expand' ? 'embed' : key]
  if (theirs !== undefined) return theirs
  const { lookup: mark } = params
  const parts = mark === undefined ? [] : (request.sent.get(of)?.split(mark) ?? [])
  const [, path = name, op = ''] = (parts.length > 1 && /^(.+)_([a-zA-Z]+)$/.exec(name)) || []
  const shown = shownName(path, request)
  if (op === '') return shown
  const last = parts.at(-1) ?? ''
  return [...shown.split('.'), lookupOf(['', last]).op === op ? last : op].join(mark)
}

/** An explanation in the names of fields and parameters that clients use. */
export function shownExplanation(data: unknown, request: Named): unknown {
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
