import type { ApiSettings } from './settings.ts'
import type { Deed } from './tables/deeds.ts'
import { type ApiError, ERRORS } from './tables/errors.ts'

/** The errors of an operation, by status. */
export function errorsOf(
  deed: Deed,
  resource: string,
  settings: ApiSettings,
  isPublic: (guard: string) => boolean,
): ReadonlyMap<number, readonly ApiError[]> {
  const byStatus = new Map<number, ApiError[]>()
  for (const error of ERRORS) {
    const isThere = error.deeds.includes(deed) && (error.given?.(settings, resource) ?? true)
    if (!isThere || (error.guard !== undefined && isPublic(error.guard))) continue
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error])
  }
  return byStatus
}

/** One response for all errors of a status. */
export function errorResponse(errors: readonly ApiError[]): object {
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

/** These say when to try again. */
const WAITS: readonly string[] = ['RATE_LIMIT_EXCEEDED', 'SERVER_BUSY', 'TOO_MANY_SESSIONS']
const RETRY_AFTER = { description: 'Seconds', schema: { type: 'integer' } }

/** The only error without a code: clients of json-server rely on it. */
export const NOT_FOUND = {
  description: 'Not found',
  content: { 'application/json': { schema: { type: 'object', maxProperties: 0 } } },
}

/** What all errors with a code have in common. */
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
