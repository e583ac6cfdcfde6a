import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { describeRounded } from '../../../core/kernel/json/rounded-numbers.ts'
import { ACCOUNT_PATHS } from '../../../core/layers/accounts/endpoints.ts'
import type { Cleaner } from './cleaner.ts'
import type { Exchanged } from './recorder.ts'

const { me: _, ...LOGINS } = ACCOUNT_PATHS
const LOGIN_PATHS = Object.values(LOGINS).flat()

/** Whether answers of a path hold what logs somebody in. */
function isLogin(method: string, path: string): boolean {
  const plain = path.toLowerCase().replace(/\/$/, '')
  if (plain.split('/').some((part) => part === 'token' || part === 'oauth')) return true
  return method === 'POST' && LOGIN_PATHS.some((login) => plain.endsWith(login))
}

export interface Answered {
  readonly req: Request
  readonly res: Response
  readonly answer: IncomingMessage
  readonly text: string
  readonly sent?: Buffer | undefined
  readonly cleaner: Cleaner
  /** Says what cannot be kept exactly. */
  readonly onRounded: (path: string, numbers: string) => void
}

/** An exchange as it may be kept; undefined if it may not. */
export function keptExchange({
  req,
  res,
  answer,
  text,
  sent,
  cleaner,
  onRounded,
}: Answered): Exchanged | undefined {
  const url = cleaner.url(req.originalUrl)
  const path = url.replace(/\?.*/s, '')
  const { method } = req
  if (isLogin(method, path)) return undefined
  const rounded = describeRounded(text)
  if (rounded !== undefined) {
    onRounded(path, rounded)
    return undefined
  }
  const isDeleted = method === 'DELETE'
  const body = cleaner.json(text, url)
  if (body === undefined && !isDeleted && text !== '') return undefined
  const { statusCode: status = 0, headers } = answer
  const total = Number(headers['x-total-count'] ?? Number.NaN)
  return {
    ...{ req, res, method, url, status, body },
    sent: sent && cleaner.json(sent.toString('utf8'), url),
    type: headers['content-type'] ?? 'application/json',
    total: Number.isInteger(total) ? total : undefined,
  }
}
