import type { Answer, Ask } from '../http/exchange.ts'

/** Differences that touch nearly every answer; here is exactly what they change. */
type Standing = 'powered-by' | 'total-count' | 'content-range' | 'exposed-headers' | 'empty-link'

/** What a case says of our answer where it departs. A header that is undefined must be absent. */
export interface Departure {
  readonly status?: number
  readonly body?: unknown
  /** In place of a body: an error that carries this code, whatever its words. */
  readonly code?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/**
 * Left out: what belongs to the connection or the clock, lengths, which follow from the bodies compared, and the hint of
 * a 404, which 0.17.4 has not.
 */
const uncompared = new Set([
  ...['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'],
  'x-mock-hint',
])

/** What 0.17.4 sends with data, and nobody needs with an error. */
const ofSuccess = new Set(['access-control-expose-headers', 'location', 'x-content-type-options'])

/** An answer in comparable form: no ports, header lists in one order. */
export function normalise(answer: Answer, port: number): Answer {
  const text = (value: string) => value.replaceAll(`127.0.0.1:${port}`, 'HOST')
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    if (uncompared.has(name)) continue
    headers[name] = name === 'vary' ? sortedList(value) : text(value).replace(', X-Mock-Hint', '')
  }
  return { status: answer.status, headers, body: text(answer.body) }
}

/**
 * Turns 0.17.4's answer into what restable owes: the standing differences applied, but for those in `without`.
 * `full` is 0.17.4's answer to the same request as a plain GET, since a HEAD or 304 does not show the list.
 */
export function owed(ask: Ask, answer: Answer, full: Answer, without: ReadonlySet<string>): Answer {
  const headers = { ...answer.headers }
  const applies = (id: Standing) => !without.has(id)
  const list = ['GET', 'HEAD'].includes(ask.method) && answer.status < 400 ? listIn(full.body) : undefined
  if (applies('powered-by')) delete headers['x-powered-by']
  if (applies('empty-link') && headers.link === '') delete headers.link
  if (list !== undefined) {
    const total = headers['x-total-count'] ?? String(list.length)
    if (applies('total-count')) headers['x-total-count'] = total
    const range = contentRange(ask.path, Number(total))
    if (applies('content-range') && range !== undefined) headers['content-range'] = range
  }
  if (applies('exposed-headers') && ask.headers?.origin !== undefined && ask.method !== 'OPTIONS') {
    headers['access-control-expose-headers'] = 'X-Total-Count, Link, Location, Content-Range, ETag'
  }
  return { ...answer, headers }
}

/** What is owed where a case departs from 0.17.4: its answer, overlaid with what the case says of ours. */
export function depart(ask: Ask, answer: Answer, departure: Departure): Answer {
  const { status, code, headers = {} } = departure
  const body = code === undefined ? departure.body : { error: 'an error', message: 'a message', code }
  const result: Record<string, string> = { ...answer.headers }
  if (body !== undefined || status !== undefined) delete result.etag
  if (body !== undefined) {
    result['content-type'] = 'application/json; charset=utf-8'
    if (code === undefined) result['x-content-type-options'] = 'nosniff'
    else for (const name of ofSuccess) delete result[name]
    if (ask.method === 'GET' && Array.isArray(body)) result['x-total-count'] = String(body.length)
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) delete result[name]
    else result[name] = value
  }
  return {
    status: status ?? answer.status,
    headers: result,
    body: body === undefined ? answer.body : JSON.stringify(body, null, 2),
  }
}

/** An error with its words taken out, so that only its shape and its code are compared. */
export function wordless(answer: Answer): Answer {
  const words: unknown = JSON.parse(answer.body)
  if (typeof words !== 'object' || words === null) return answer
  const shape = Object.entries(words).map(([key, value]) => {
    const isText = key !== 'code' && typeof value === 'string' && value !== ''
    return [key, isText ? `${key === 'error' ? 'an' : 'a'} ${key}` : value]
  })
  const headers = Object.entries(answer.headers).filter(([name]) => !ofSuccess.has(name))
  return {
    ...answer,
    headers: Object.fromEntries(headers),
    body: JSON.stringify(Object.fromEntries(shape), null, 2),
  }
}

/** The list that a body shows, JSONP's wrapping taken off; undefined for anything else. */
function listIn(body: string): readonly unknown[] | undefined {
  const inner = /^\/\*\*\/ typeof [^ ]+ === 'function' && [^(]+\(([\s\S]*)\);$/.exec(body)?.[1] ?? body
  try {
    const value: unknown = JSON.parse(inner)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function contentRange(path: string, total: number): string | undefined {
  const url = new URL(path, 'http://HOST')
  const number = (name: string) => Number.parseInt(url.searchParams.get(name) ?? '', 10)
  const given = (name: string) => (url.searchParams.get(name) ?? '') !== ''
  if (!given('_start') && !given('_end')) return undefined
  if (given('_page')) return undefined
  const start = number('_start') || 0
  const end = given('_end') ? number('_end') || 0 : given('_limit') ? start + (number('_limit') || 0) : total
  const indexes = Array.from({ length: total }, (_, index) => index).slice(start, end)
  const span = indexes.length === 0 ? '*' : `${indexes[0]}-${indexes.at(-1)}`
  return `${url.pathname.split('/').at(-1)} ${span}/${total}`
}

function sortedList(value: string): string {
  return value
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .sort()
    .join(', ')
}
