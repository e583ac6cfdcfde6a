import type { Request, Response } from 'express'
import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { isObject } from '../../kernel/json/values.ts'
import { refuseBody } from '../parts/guard.ts'
import { decodeBody, parseJsonBody } from '../parts/parse-body.ts'
import { BodyError, hasBody, invalidBody, isUnread, readBody, tooLarge } from '../parts/read-body.ts'

export type BodyFields = Readonly<Record<string, unknown>>

export interface ReadFieldsOptions {
  readonly layer: string
  readonly kilobytes: number
  readonly onMistyped?: () => void
}

/** Fields sent as JSON, even under another content type, or as a form; none without a body. Undefined if refused. */
export async function readFields(
  req: Request,
  res: Response,
  options: ReadFieldsOptions,
): Promise<BodyFields | undefined> {
  try {
    const value = hasBody(req) && isUnread(req) ? await readUnread(req, options) : (req.body ?? {})
    if (isObject(value)) return value
    throw invalidBody('The body must be a JSON object, such as { "email": "…", "password": "…" }.')
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    refuseBody(req, res, options.layer, error)
    return undefined
  }
}

async function readUnread(req: Request, { kilobytes, onMistyped }: ReadFieldsOptions): Promise<unknown> {
  const limit = kilobytes * 1024
  const bytes = await readBody(req, limit).catch((error: unknown) => {
    if (!(error instanceof BodyError && error.status === 413)) return undefined
    throw tooLarge(`This request may not exceed ${kilobytes} KB.`)
  })
  const text = bytes && decodeBody(bytes, req.headers['content-type'])?.trim()
  if (text === undefined) throw invalidBody('The body could not be read. Send JSON in UTF-8.')
  if (text === '') return {}
  if (req.is('urlencoded') && !/^[[{]/.test(text)) return Object.fromEntries(new URLSearchParams(text))
  const value = await parseJsonBody(text)
  if (!req.is(['json', '+json'])) onMistyped?.()
  return value
}

const SHORTEST = 8
/** bcrypt ignores what comes after. */
const MOST_BYTES = 72

/** The fault of a new password, as the end of a sentence; undefined if there is none. */
export function passwordFault(password: unknown): string | undefined {
  if (password === undefined) return 'is required'
  if (typeof password !== 'string') return 'must be a string'
  if ([...password].length < SHORTEST) return `must have at least ${SHORTEST} characters`
  if (Buffer.byteLength(password) > MOST_BYTES) return `must have at most ${MOST_BYTES} bytes`
  return undefined
}

export function emailFault(email: unknown): string | undefined {
  if (email === undefined || email === '') return 'is required'
  if (typeof email !== 'string') return 'must be a string'
  return EMAIL.test(email) ? undefined : 'must be an email address'
}

const EMAIL = /^[^\s@]{1,200}@[^\s@]{1,200}$/

export function credentialsIn(name: unknown, password: unknown) {
  if (typeof name !== 'string' || typeof password !== 'string' || !name || !password) return undefined
  return { name, password }
}

export function refuseFields(faults: Readonly<Record<string, string | undefined>>): void {
  const wrong = Object.entries(faults).filter((fault): fault is [string, string] => fault[1] !== undefined)
  if (wrong.length === 0) return
  const sentences = wrong.map(([name, fault]) => `${name} ${fault}`).join('; ')
  throw new StorageError('VALIDATION_FAILED', `${sentences}. Nothing was changed.`, {
    errors: Object.fromEntries(wrong),
  })
}
