import type { Request, Response } from 'express'
import type { ErrorBody } from '../../errors.ts'
import { findJsonFault } from '../../json/json-fault.ts'
import { unreadBody } from '../body/body-error.ts'
import { decodeBody } from '../body/decode-body.ts'
import { type BodyFault, hasBody, isUnread, readBody } from '../body/read-body.ts'

/** The credentials of a login, or why they cannot be read. */
export type Credentials =
  | { readonly ok: true; readonly email: string; readonly password: string; readonly mistyped: boolean }
  | { readonly ok: false; readonly status: number; readonly body: ErrorBody }

/**
 * Reads email and password from JSON or a form; JSON is recognized even under another content
 * type (`mistyped`). A body that was already parsed is taken as is.
 */
export async function readCredentials(req: Request, res: Response): Promise<Credentials> {
  if (!hasBody(req) || !isUnread(req)) return pick(req.body, false)
  const bytes = await new Promise<Buffer | BodyFault>((resolve) => readBody(req, res, LIMIT, resolve))
  if (bytes === 'too large') return TOO_LARGE
  if (bytes === 'busy') return BUSY
  if (!Buffer.isBuffer(bytes)) return UNREADABLE
  const text = decodeBody(bytes, req.headers['content-type'])?.trim()
  if (text === undefined) return UNREADABLE
  const looksLikeJson = /^[[{]/.test(text)
  if (text === '') return MISSING
  if (req.is('urlencoded') && !looksLikeJson)
    return pick(Object.fromEntries(new URLSearchParams(text)), false)
  try {
    return pick(JSON.parse(text), !req.is(['json', '+json']))
  } catch {
    return malformed(text)
  }
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
function malformed(text: string): Credentials {
  const { line, column, expected } = findJsonFault(text)
  return refusal(400, {
    error: 'Bad Request',
    message: `The body is not valid JSON: line ${line}, column ${column} should be ${expected}. Send { "email": "…", "password": "…" }.`,
    code: 'MALFORMED_JSON',
  })
}

const MISSING = refusal(400, {
  error: 'Bad Request',
  message: 'Send { "email": "…", "password": "…" }, both as non-empty strings.',
  code: 'INVALID_BODY',
})

const UNREADABLE = refusal(400, {
  error: 'Bad Request',
  message: 'The body could not be read. Send JSON in UTF-8.',
  code: 'INVALID_BODY',
})

const TOO_LARGE = refusal(413, {
  error: 'Payload Too Large',
  message: `A login may not exceed 10 KB.`,
  code: 'BODY_TOO_LARGE',
})

const { status, body } = unreadBody('busy')
const BUSY = refusal(status, body)

function refusal(status: number, body: ErrorBody): Credentials {
  return { ok: false, status, body }
}
