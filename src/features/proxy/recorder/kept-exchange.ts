import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { checkSize } from '../../../core/kernel/json/limits.ts'
import { describeRounded } from '../../../core/kernel/json/rounded-numbers.ts'
import { attempt } from '../../../core/kernel/util/attempt.ts'
import { maskJson, maskUrl } from '../../../core/layers/parts/mask-secrets.ts'
import { ACCOUNT_PATHS } from '../../../core/layers/accounts/endpoints.ts'
import type { Exchanged } from './recorder.ts'

const { me: _, ...LOGINS } = ACCOUNT_PATHS
const LOGIN_PATHS = Object.values(LOGINS).flat()

/** Whether answers of a path hold what logs somebody in. */
export function isLogin(method: string, path: string): boolean {
  const plain = path.toLowerCase().replace(/\/$/, '')
  if (plain.split('/').some((part) => part === 'token' || part === 'oauth')) return true
  return method === 'POST' && LOGIN_PATHS.some((login) => plain.endsWith(login))
}

/** A JSON value without secrets; undefined if it is none, or over the limits of a request. */
export function cleanJson(text: string): unknown {
  return attempt(() => {
    const value: unknown = JSON.parse(maskJson(text)?.text ?? '')
    checkSize(value)
    return value
  })
}

export interface Answered {
  readonly req: Request
  readonly res: Response
  readonly answer: IncomingMessage
  readonly text: string
  readonly sent?: Buffer | undefined
  /** Says what cannot be kept exactly. */
  readonly onRounded: (path: string, numbers: string) => void
}

/** An exchange as it may be kept; undefined if it may not. */
export function keptExchange({ req, res, answer, text, sent, onRounded }: Answered): Exchanged | undefined {
  const url = maskUrl(req.originalUrl)
  const path = url.replace(/\?.*/s, '')
  const { method } = req
  if (isLogin(method, path)) return undefined
  const rounded = describeRounded(text)
  if (rounded !== undefined) {
    onRounded(path, rounded)
    return undefined
  }
  const isDeleted = method === 'DELETE'
  const body = cleanJson(text)
  if (body === undefined && !isDeleted && text !== '') return undefined
  const { statusCode: status = 0, headers } = answer
  const total = Number(headers['x-total-count'] ?? Number.NaN)
  return {
    ...{ req, res, method, url, status, body },
    sent: sent && cleanJson(sent.toString('utf8')),
    type: headers['content-type'] ?? 'application/json',
    total: Number.isInteger(total) ? total : undefined,
  }
}
