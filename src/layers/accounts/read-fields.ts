import type { Request, Response } from 'express'
import { isObject } from '../../json/values.ts'
import { refuseBody } from '../_guard.ts'
import { BodyError, invalidBody, tooLarge, unreadBody } from '../body/body-error.ts'
import { parseJsonBody } from '../body/json-body.ts'
import { type BodyFault, decodeBody, hasBody, isUnread, readBody } from '../body/read-body.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface ReadFieldsOptions {
  /** The layer that refuses what cannot be read. */
  readonly layer: string
  readonly kilobytes: number
  /** Called for JSON under another content type. */
  readonly onMistyped?: () => void
}

/** Fields sent as JSON, even under another content type, or as a form; none without a body. Undefined if refused. */
export async function readFields(
  req: Request,
  res: Response,
  options: ReadFieldsOptions,
): Promise<Fields | undefined> {
  try {
    const value = hasBody(req) && isUnread(req) ? await readUnread(req, res, options) : (req.body ?? {})
    if (isObject(value)) return value
    throw invalidBody('The body must be a JSON object, such as { "email": "…", "password": "…" }.')
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    refuseBody(req, res, options.layer, error.status, error.body)
    return undefined
  }
}

async function readUnread(
  req: Request,
  res: Response,
  { kilobytes, onMistyped }: ReadFieldsOptions,
): Promise<unknown> {
  const limit = kilobytes * 1024
  const bytes = await new Promise<Buffer | BodyFault>((resolve) => readBody(req, res, limit, resolve))
  if (bytes === 'too large') throw tooLarge(`This request may not exceed ${kilobytes} KB.`)
  if (bytes === 'busy') throw unreadBody(bytes)
  const text = Buffer.isBuffer(bytes) ? decodeBody(bytes, req.headers['content-type'])?.trim() : undefined
  if (text === undefined) throw invalidBody('The body could not be read. Send JSON in UTF-8.')
  if (text === '') return {}
  if (req.is('urlencoded') && !/^[[{]/.test(text)) return Object.fromEntries(new URLSearchParams(text))
  const value = await parseJsonBody(text)
  if (!req.is(['json', '+json'])) onMistyped?.()
  return value
}
