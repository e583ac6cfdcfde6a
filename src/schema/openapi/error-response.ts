import type { SaidError } from './errors.ts'

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
