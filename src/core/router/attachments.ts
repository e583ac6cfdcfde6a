import type { Request } from 'express'
import type { Engine } from '../engine/engine.ts'
import type { Target } from './target.ts'

/** The port of files that rows name: bodies that bring them, and the URLs by which rows name them. */
export interface Attachments {
  /** Whether it reads the body of a request, once the client may write there. */
  takes(req: Request): boolean
  /** Reads `req.body`, runs the write, and keeps what the body brought only if that succeeds. */
  around<T>(req: Request, target: AttachedTarget, write: () => Promise<T>): Promise<T>
  /** Puts URLs in the body and the query as they are stored. */
  receive(req: Request): void
  /** How stored URLs are sent in the response to a request. */
  urlsFor(req: Request): SentUrls
}

export interface AttachedTarget {
  readonly engine: Engine
  readonly target: Target
  /** Whether the write creates a missing item. */
  readonly mayCreate: boolean
  /** The row or object that the path leads to, as the client may see it. */
  readonly find: () => Promise<Record<string, unknown> | undefined>
}

export interface SentUrls {
  /** Origin and mount, in front of stored URLs. Responses with another root are cached apart. */
  readonly root: string
  text(json: string): string
  pieces(json: Iterable<Uint8Array>): Iterable<Uint8Array>
}
