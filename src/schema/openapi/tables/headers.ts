import { type ApiSettings, hasLayer, optionOf } from '../settings.ts'
import { ALL, DATA_DEEDS, DATA_READS, type Deed, FILTERED, IN_SESSION, isThere } from './deeds.ts'

interface Header {
  readonly name: string
  readonly type?: 'integer'
  readonly description: string
  readonly deeds: readonly Deed[]
  readonly status?: number
  readonly layers?: readonly string[]
  readonly given?: (settings: ApiSettings) => boolean
}

const HEADERS: readonly Header[] = [
  {
    name: 'X-Total-Count',
    type: 'integer',
    description: 'Number of rows that match, before paging',
    deeds: FILTERED,
  },
  {
    name: 'Link',
    description: 'With `_page` or `_per_page`: URLs of the first, prev, next and last page',
    deeds: ['list'],
  },
  {
    name: 'Content-Range',
    description: 'With `_start`, `_end` or `range`: `products 0-9/100`',
    deeds: ['list'],
  },
  {
    name: 'Location',
    description: 'The URL of what was created',
    deeds: ['create', 'replace', 'createObject', 'saveSnapshot'],
    status: 201,
  },
  { name: 'Preference-Applied', description: 'The `Prefer` that was honored', deeds: DATA_DEEDS },
  { name: 'ETag', description: 'Changes with the content', deeds: DATA_DEEDS },
  { name: 'Cache-Control', description: '`no-cache`', deeds: DATA_READS },
  {
    name: 'X-Mock-Session',
    description: 'The session that the request belongs to',
    deeds: IN_SESSION,
    given: ({ sessions }) => sessions,
  },
  {
    name: 'Set-Cookie',
    description: '`access_token` and `refresh_token`',
    deeds: ['register', 'login', 'logout'],
    given: (settings) => optionOf(settings, 'accounts', 'cookies') === true,
  },
  { name: 'X-Simulated-Delay', description: 'The delay that was added', deeds: ALL, layers: ['delay'] },
  { name: 'X-Server-Time', description: 'ISO 8601', deeds: ALL, layers: ['delay'] },
  {
    name: 'X-RateLimit-Limit',
    type: 'integer',
    description: 'Requests allowed in one window',
    deeds: ALL,
    layers: ['rate-limit', 'api-key'],
  },
  {
    name: 'X-RateLimit-Remaining',
    type: 'integer',
    description: 'Requests left in this window',
    deeds: ALL,
    layers: ['rate-limit', 'api-key'],
  },
  { name: 'X-RateLimit-Reset', description: 'When the window ends', deeds: ALL, layers: ['rate-limit'] },
  { name: 'X-Authenticated-Client', description: 'The kind of client', deeds: ALL, layers: ['api-key'] },
]

export function headersOf(deed: Deed, status: number, settings: ApiSettings): Record<string, object> {
  const headers = givenIn(settings).filter(
    (header) => header.deeds.includes(deed) && (header.status ?? status) === status,
  )
  return Object.fromEntries(headers.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function headerComponents(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries(
    givenIn(settings).map(({ name, type = 'string', description }) => [
      name,
      { description, schema: { type } },
    ]),
  )
}

function givenIn(settings: ApiSettings): readonly Header[] {
  return HEADERS.filter(
    ({ deeds, layers, given }) =>
      (given?.(settings) ?? true) &&
      (layers?.some((name) => hasLayer(settings, name)) ?? true) &&
      deeds.some((deed) => isThere(deed, settings)),
  )
}
