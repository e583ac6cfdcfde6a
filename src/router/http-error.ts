import type { ErrorBody } from '../errors.ts'

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Body too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
}

/** The response to an error with its own status, as Express has them. Messages of server errors are for the log. */
export function describeHttpError(error: unknown): readonly [number, ErrorBody] | undefined {
  if (!(error instanceof Error)) return undefined
  const status: unknown = Reflect.get(error, 'status') ?? Reflect.get(error, 'statusCode')
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499)
    return undefined
  if (error instanceof URIError) return [status, MALFORMED_URL]
  const name = NAMES[status] ?? 'Request refused'
  const message = Reflect.get(error, 'expose') === false ? name : error.message || name
  return [status, { error: name, message, code: name.toUpperCase().replaceAll(' ', '_') }]
}

const MALFORMED_URL: ErrorBody = {
  error: 'Bad request',
  message: 'The path has a % that does not start a valid escape, such as %20.',
  code: 'MALFORMED_URL',
}
