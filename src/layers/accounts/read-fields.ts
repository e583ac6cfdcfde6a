import type { Request, Response } from 'express'
import { exposeTo } from '../../http/exposed-headers.ts'
import { refuse } from '../_guard.ts'
import { parseJsonBody } from '../body/json-body.ts'
import { refuseUnread } from '../body/refuse-unread.ts'
import { readSent, refusal } from '../login/read-sent.ts'
import type { UserFields } from './account-store.ts'

/** Enough for a picture. */
const LIMIT = 1024 * 1024

/** The fields that a client sent, none if there is no body; undefined if a refusal was sent. */
export async function readFields(req: Request, res: Response): Promise<UserFields | undefined> {
  const sent = await readSent(req, res, {
    limit: LIMIT,
    tooLarge: 'This request may not exceed 1 MB.',
    parse: parseJsonBody,
    malformed: () => NO_OBJECT,
  })
  const value = sent.ok ? (sent.value ?? {}) : undefined
  if (isFields(value)) return value
  const { status, body } = sent.ok ? NO_OBJECT : sent
  const headers = status === 503 ? { 'Retry-After': '5' } : {}
  if (status === 503) exposeTo(req, res, ['Retry-After'])
  if (req.complete) refuse(res.set(headers), 'accounts', status, body)
  else refuseUnread(req, res, 'accounts', status, body, headers)
  return undefined
}

const NO_OBJECT = refusal(400, {
  error: 'Bad Request',
  message: 'The body must be a JSON object, such as { "email": "…", "password": "…" }.',
  code: 'INVALID_BODY',
})

function isFields(value: unknown): value is UserFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
