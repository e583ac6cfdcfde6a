import type { Endpoint } from '../../../core/kernel/catalogue/endpoint.ts'
import {
  ALL,
  DATA_OPERATIONS,
  DATA_READS,
  FILTERED,
  IN_SESSION,
  type OperationKind,
} from '../../../core/kernel/catalogue/operation-kinds.ts'
import { type ApiSettings, hasLayer, optionOf } from './settings.ts'

interface Condition {
  readonly status?: number
  readonly layers?: readonly string[]
  readonly applies?: (settings: ApiSettings) => boolean
}

type Header = readonly [name: string, description: string, kinds: readonly OperationKind[], Condition?]

const LOGIN_KINDS = ['register', 'login', 'logout'] as const
const delays = { layers: ['delay'] }
const counts = { layers: ['rate-limit', 'api-key'] }

const HEADERS: readonly Header[] = [
  ['X-Total-Count', 'Number of rows that match, before paging', FILTERED],
  [
    'Link',
    'With `_page` or `_per_page`: URLs of the first, prev, next and last page; with `_cursor`, of the next',
    ['list'],
  ],
  ['X-Next-Cursor', 'With `_cursor`, while there is more: what it is next', ['list']],
  ['Content-Range', 'With `_start`, `_end` or `range`: `products 0-9/100`', ['list']],
  ['Location', 'The URL of what was created', ['create', 'replace', 'createObject'], { status: 201 }],
  ['Preference-Applied', 'The `Prefer` that was honored', DATA_OPERATIONS],
  ['ETag', 'Changes with the content', DATA_OPERATIONS],
  ['Cache-Control', '`no-cache`', DATA_READS],
  [
    'X-Mock-Session',
    'The session that the request belongs to',
    IN_SESSION,
    { applies: ({ sessions }) => sessions },
  ],
  [
    'Set-Cookie',
    '`access_token` and `refresh_token`',
    LOGIN_KINDS,
    { applies: (settings) => optionOf(settings, 'accounts', 'cookies') === true },
  ],
  ['X-Simulated-Delay', 'The delay that was added', ALL, delays],
  ['X-Server-Time', 'ISO 8601', ALL, delays],
  ['X-RateLimit-Limit', 'Requests allowed in one window', ALL, counts],
  ['X-RateLimit-Remaining', 'Requests left in this window', ALL, counts],
  ['X-RateLimit-Reset', 'When the window ends', ALL, { layers: ['rate-limit'] }],
  ['X-Authenticated-Client', 'The kind of client', ALL, { layers: ['api-key'] }],
]

const NUMBERS: readonly string[] = ['X-Total-Count', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']

export function headersOf(
  { kind, headers = [] }: Pick<Endpoint, 'kind' | 'headers'>,
  status: number,
  settings: ApiSettings,
): ReadonlyMap<string, object> {
  const isGiven = ([name, , kinds, { status: only = status, layers, applies } = {}]: Header) =>
    (headers.includes(name) || kinds.includes(kind)) &&
    only === status &&
    (applies?.(settings) ?? true) &&
    (layers?.some((layer) => hasLayer(settings, layer)) ?? true)
  return new Map(
    HEADERS.filter(isGiven).map(([name, description]) => [
      name,
      { description, schema: { type: NUMBERS.includes(name) ? 'integer' : 'string' } },
    ]),
  )
}
