import { ALL, DATA_DEEDS, DATA_READS, type Deed, isThere } from './deeds.ts'
import { type ApiSettings, hasLayer } from './settings.ts'

/** A header of a successful answer. */
interface Header {
  readonly name: string
  readonly type?: 'integer'
  readonly description: string
  readonly deeds: readonly Deed[]
  /** Only where this layer is listed. */
  readonly layers?: readonly string[]
}

/** All of them, but for those that say the same on every answer. */
const HEADERS: readonly Header[] = [
  { name: 'X-Total-Count', type: 'integer', description: 'Items that match, before paging', deeds: ['list'] },
  { name: 'Link', description: 'With `_page`: URLs of the first, prev, next and last page', deeds: ['list'] },
  { name: 'Content-Range', description: 'With `_start` or `_end`: `products 0-9/100`', deeds: ['list'] },
  { name: 'Location', description: 'The URL of what was made', deeds: ['create'] },
  { name: 'ETag', description: 'Changes with the content', deeds: DATA_DEEDS },
  { name: 'Cache-Control', description: '`no-cache`', deeds: DATA_READS },
  { name: 'X-Simulated-Delay', description: 'How long it was made to wait', deeds: ALL, layers: ['delay'] },
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

export function headersOf(deed: Deed, settings: ApiSettings): Record<string, object> {
  const headers = givenIn(settings).filter(({ deeds }) => deeds.includes(deed))
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
    ({ deeds, layers }) =>
      (layers?.some((name) => hasLayer(settings, name)) ?? true) &&
      deeds.some((deed) => isThere(deed, settings)),
  )
}
