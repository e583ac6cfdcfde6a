import type { Request, RequestHandler, Response } from 'express'
import { refuse } from '../_guard.ts'

export interface DoorOptions {
  /** Loggers to call for refused requests, which never reach their place in the chain. */
  readonly logs?: readonly RequestHandler[]
}

/** Answers 403 to a request from a host or origin that is not listed. */
export function turnAway(
  req: Request,
  res: Response,
  { logs = [] }: DoorOptions,
  { layer, code, message }: { readonly layer: string; readonly code: string; readonly message: string },
): void {
  for (const log of logs) log(req, res, () => {})
  refuse(res, layer, 403, { error: 'Forbidden', message, code })
}

/** Client input, safe to quote in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
