import type { Request, Response } from 'express'
import { findJsonFault } from '../../json/json-fault.ts'
import { type Refusal, readSent, refusal } from './read-sent.ts'

export type Credentials =
  | { readonly ok: true; readonly email: string; readonly password: string; readonly mistyped: boolean }
  | Refusal

/** Reads email and password from JSON, even under another content type (`mistyped`), or a form. */
export async function readCredentials(req: Request, res: Response): Promise<Credentials> {
  const sent = await readSent(req, res, {
    limit: LIMIT,
    tooLarge: 'A login may not exceed 10 KB.',
    parse: (text) => JSON.parse(text),
    malformed,
  })
  return sent.ok ? pick(sent.value, sent.mistyped) : sent
}

/** Small enough that the token, which contains the email, fits in a header. */
const LIMIT = 10 * 1024

function pick(body: unknown, mistyped: boolean): Credentials {
  const email: unknown = Reflect.get(Object(body), 'email')
  const password: unknown = Reflect.get(Object(body), 'password')
  if (typeof email !== 'string' || typeof password !== 'string' || !email || !password) return MISSING
  return { ok: true, email, password, mistyped }
}

/** Says only where the fault is and what was expected: the text there may be the password. */
function malformed(text: string): Refusal {
  const { line, column, expected } = findJsonFault(text)
  const place = `line ${line}, column ${column} should be ${expected}`
  return refusal(
    'MALFORMED_JSON',
    `The body is not valid JSON: ${place}. Send { "email": "…", "password": "…" }.`,
  )
}

const MISSING = refusal('INVALID_BODY', 'Send { "email": "…", "password": "…" }, both as non-empty strings.')
