import type { Request, Response } from 'express'
import { type ErrorCode, errorBody, statusOf } from '../../catalogue/errors.ts'
import type { ErrorBody } from '../../errors.ts'
import { BodyError, unreadBody } from '../body/body-error.ts'
import { type BodyFault, decodeBody, hasBody, isUnread, readBody } from '../body/read-body.ts'

export interface Refusal {
  readonly ok: false
  readonly status: number
  readonly body: ErrorBody
}

export type Sent = { readonly ok: true; readonly value: unknown; readonly mistyped: boolean } | Refusal

export interface ReadingSent {
  readonly limit: number
  readonly tooLarge: string
  /** Throws where the text is not JSON, or what a `BodyError` says. */
  readonly parse: (text: string) => unknown
  /** What to answer where it throws anything else. */
  readonly malformed: (text: string) => Refusal
}

/** Reads JSON, even under another content type (`mistyped`), or a form. Takes a parsed body as is; no body is undefined. */
export async function readSent(req: Request, res: Response, reading: ReadingSent): Promise<Sent> {
  if (!hasBody(req) || !isUnread(req)) return { ok: true, value: req.body, mistyped: false }
  const bytes = await new Promise<Buffer | BodyFault>((resolve) => readBody(req, res, reading.limit, resolve))
  if (bytes === 'too large') return refusal('BODY_TOO_LARGE', reading.tooLarge)
  if (bytes === 'busy') return BUSY
  if (!Buffer.isBuffer(bytes)) return UNREADABLE
  const text = decodeBody(bytes, req.headers['content-type'])?.trim()
  if (text === undefined) return UNREADABLE
  const looksLikeJson = /^[[{]/.test(text)
  if (text === '') return { ok: true, value: undefined, mistyped: false }
  if (req.is('urlencoded') && !looksLikeJson) {
    return { ok: true, value: Object.fromEntries(new URLSearchParams(text)), mistyped: false }
  }
  try {
    return { ok: true, value: await reading.parse(text), mistyped: !req.is(['json', '+json']) }
  } catch (error) {
    if (!(error instanceof BodyError)) return reading.malformed(text)
    return { ok: false, status: error.status, body: error.body }
  }
}

export function refusal(code: ErrorCode, message: string): Refusal {
  return { ok: false, status: statusOf(code), body: errorBody(code, message) }
}

const UNREADABLE = refusal('INVALID_BODY', 'The body could not be read. Send JSON in UTF-8.')
const BUSY = refusal('SERVER_BUSY', unreadBody('busy').message)
