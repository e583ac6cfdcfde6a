import type { ApiError } from './tables/errors.ts'

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
