import type { Request, Response } from 'express'
import { endpoints, INTEGER, listOf, objectOf, TEXT, TIME } from '../core/kernel/catalogue/endpoint.ts'
import { sendError, sendJson } from '../core/kernel/http/send-json.ts'
import type { HandlersOf } from './serve-endpoints.ts'

interface SessionInfo {
  readonly name: string
  readonly createdAt: string
  readonly idleMs: number
}

export interface SessionsOptions {
  list(): readonly SessionInfo[]
  end(name: string): boolean
  reset(name: string): Promise<boolean>
}

const SESSION = objectOf({ name: TEXT, createdAt: TIME, idleMs: INTEGER })

export const SESSION_ENDPOINTS = endpoints(
  { kind: 'sessions', isFor: 'admins' },
  {
    listSessions: ['GET /__sessions', 'All sessions, most recently used first', { gives: listOf(SESSION) }],
    endSession: ['DELETE /__sessions/{name}', 'End a session', { errors: ['SESSION_NOT_FOUND'] }],
    resetSession: ['POST /__sessions/{name}/reset', 'Put its data back', { errors: ['SESSION_NOT_FOUND'] }],
  },
)

export function sessions({ list, end, reset }: SessionsOptions): HandlersOf<typeof SESSION_ENDPOINTS> {
  const named =
    (act: (name: string) => boolean | Promise<boolean>) => async (req: Request, res: Response) => {
      if (await act(String(req.params.name))) sendJson(res, 200, {})
      else sendError(res, 'SESSION_NOT_FOUND', 'There is no session of that name: GET /__sessions lists them')
    }
  return {
    listSessions: (_req, res) => sendJson(res, 200, list()),
    endSession: named(end),
    resetSession: named(reset),
  }
}
