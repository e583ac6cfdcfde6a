import type { ApiSettings } from './settings.ts'
import type { Place } from './tables/api-error.ts'
import { ERRORS } from './tables/errors.ts'
import { isPublic } from './tables/guards.ts'

export interface SaidError {
  readonly code: string
  readonly when: string
}

export function errorsOf(place: Place, settings: ApiSettings): ReadonlyMap<number, readonly SaidError[]> {
  const byStatus = new Map<number, SaidError[]>()
  for (const { status, code, when, deeds, given, guard } of ERRORS) {
    const isThere = deeds.includes(place.deed) && (given?.(settings, place) ?? true)
    if (!isThere || (guard !== undefined && isPublic(settings, guard, place.path))) continue
    const said = { code, when: typeof when === 'string' ? when : when(settings, place) }
    byStatus.set(status, [...(byStatus.get(status) ?? []), said])
  }
  return byStatus
}

export function errorResponse(errors: readonly SaidError[]): object {
  const codes = [...new Set(errors.map(({ code }) => code))]
  return {
    description: errors.map(({ code, when }) => `\`${code}\`: ${when}`).join('; '),
    ...(codes.some((code) => WAITS.includes(code)) && { headers: { 'Retry-After': RETRY_AFTER } }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } }, required: ['code'] },
          ],
        },
      },
    },
  }
}

const WAITS: readonly string[] = ['RATE_LIMIT_EXCEEDED', 'SERVER_BUSY', 'TOO_MANY_SESSIONS']
const RETRY_AFTER = { description: 'Seconds', schema: { type: 'integer' } }

/** The only error without a code: clients of json-server rely on it. */
export const NOT_FOUND = {
  description: 'Not found',
  content: { 'application/json': { schema: { type: 'object', maxProperties: 0 } } },
}

export const ERROR_SCHEMA = {
  type: 'object',
  title: 'Error',
  properties: {
    error: { type: 'string', description: 'Short name' },
    message: { type: 'string', description: 'What to do' },
    code: { type: 'string', description: 'For programs' },
    timestamp: { type: 'string', format: 'date-time' },
    errors: {
      type: 'object',
      description: 'What is wrong with which field, by its path',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['error', 'message', 'code'],
}
