import { createHash } from 'node:crypto'
import { isObject } from '../../../core/kernel/json/values.ts'

/** The last answer to a request, which comes again without the API: from rows, or whole. */
export interface Entry {
  /** Of the answer, URLs around its rows aside. */
  readonly hash: string
  readonly resource?: string
  /** The keys that lead to its rows. */
  readonly at?: readonly string[]
  /** Where rows do not give it. */
  readonly whole?: Whole
  /** Grows: the oldest go first. */
  readonly age: number
}

export interface Whole {
  readonly status: number
  readonly type: string
  readonly body: unknown
}

/** Stands for this server in URLs that are kept. */
export const HERE = 'restable://'

/** Method, path and sorted query, without what only makes requests unique. */
export function keyOf(method: string, url: string, body?: string): string {
  const [path = '', ...rest] = url.split('?')
  const query = rest
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !/^(?:_|callback)(?:=|$)/.test(part))
    .sort()
  const hash = body === undefined ? '' : ` ${digest(body)}`
  return `${method} ${path}${query.length > 0 ? `?${query.join('&')}` : ''}${hash}`
}

/** @param at where its rows are @param isUrl tells URLs that depend on who serves them */
export function hashOf(
  body: unknown,
  at: readonly string[] | undefined,
  isUrl: (text: string) => boolean,
): string {
  const plain = mapAround(body, at, (text) => (isUrl(text) ? '\0url' : text))
  return digest(JSON.stringify(plain, sorted))
}

/** Changes the texts around the rows, not those in them. */
export function mapAround(
  value: unknown,
  at: readonly string[] | undefined,
  change: (text: string) => string,
): unknown {
  if (at?.length === 0) return value
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapAround(one, undefined, change))
  if (!isObject(value)) return value
  const [key, ...rest] = at ?? []
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, mapAround(inner, at && name === key ? rest : undefined, change)]),
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
