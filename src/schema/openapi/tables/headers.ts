import type { Endpoint } from '../../../catalogue/endpoint.ts'
import {
  ALL,
  DATA_OPERATIONS,
  DATA_READS,
  FILTERED,
  IN_SESSION,
  type OperationKind,
} from '../../../catalogue/operation-kinds.ts'
import { type ApiSettings, hasLayer, optionOf } from '../settings.ts'

interface Header {
  readonly name: string
  readonly type?: 'integer'
  readonly description: string
  readonly kinds: readonly OperationKind[]
  readonly status?: number
  readonly layers?: readonly string[]
  readonly given?: (settings: ApiSettings) => boolean
}

const HEADERS: readonly Header[] = [
  {
    name: 'X-Total-Count',
    type: 'integer',
    description: 'Number of rows that match, before paging',
    kinds: FILTERED,
  },
  {
    name: 'Link',
    description: 'With `_page` or `_per_page`: URLs of the first, prev, next and last page',
    kinds: ['list'],
  },
  {
    name: 'Content-Range',
    description: 'With `_start`, `_end` or `range`: `products 0-9/100`',
    kinds: ['list'],
  },
  {
    name: 'Location',
    description: 'The URL of what was created',
    kinds: ['create', 'replace', 'createObject'],
    status: 201,
  },
  { name: 'Preference-Applied', description: 'The `Prefer` that was honored', kinds: DATA_OPERATIONS },
  { name: 'ETag', description: 'Changes with the content', kinds: DATA_OPERATIONS },
  { name: 'Cache-Control', description: '`no-cache`', kinds: DATA_READS },
  {
    name: 'X-Mock-Session',
    description: 'The session that the request belongs to',
    kinds: IN_SESSION,
    given: ({ sessions }) => sessions,
  },
  {
    name: 'Set-Cookie',
    description: '`access_token` and `refresh_token`',
    kinds: ['register', 'login', 'logout'],
    given: (settings) => optionOf(settings, 'accounts', 'cookies') === true,
  },
  { name: 'X-Simulated-Delay', description: 'The delay that was added', kinds: ALL, layers: ['delay'] },
  { name: 'X-Server-Time', description: 'ISO 8601', kinds: ALL, layers: ['delay'] },
  {
    name: 'X-RateLimit-Limit',
    type: 'integer',
    description: 'Requests allowed in one window',
    kinds: ALL,
    layers: ['rate-limit', 'api-key'],
  },
  {
    name: 'X-RateLimit-Remaining',
    type: 'integer',
    description: 'Requests left in this window',
    kinds: ALL,
    layers: ['rate-limit', 'api-key'],
  },
  { name: 'X-RateLimit-Reset', description: 'When the window ends', kinds: ALL, layers: ['rate-limit'] },
  { name: 'X-Authenticated-Client', description: 'The kind of client', kinds: ALL, layers: ['api-key'] },
]

/** The headers of a response, by name. */
export function headersOf(
  { kind, headers = [] }: Pick<Endpoint, 'kind' | 'headers'>,
  status: number,
  settings: ApiSettings,
): ReadonlyMap<string, object> {
  const isGiven = ({ kinds, layers, given, status: only = status, name }: Header) =>
    (headers.includes(name) || kinds.includes(kind)) &&
    only === status &&
    (given?.(settings) ?? true) &&
    (layers?.some((layer) => hasLayer(settings, layer)) ?? true)
  return new Map(
    HEADERS.filter(isGiven).map(({ name, type = 'string', description }) => [
      name,
      { description, schema: { type } },
    ]),
  )
}
