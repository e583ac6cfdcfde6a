import type { RequestHandler } from 'express'

/** A secret that servers of the same data share. Another one takes its place when the data is made again. */
export interface SharedSecret {
  readonly secret: string
}

/**
 * A layer that signs with the shared secret if no other is set. Built again when the shared secret changes: old tokens end
 * with the old data.
 */
export function signing(
  shared: SharedSecret | undefined,
  set: string | undefined,
  build: (own: { secret?: string }) => RequestHandler,
): RequestHandler {
  if (!shared || set !== undefined || process.env.JWT_SECRET !== undefined) return build({})
  let { secret } = shared
  let layer = build({ secret })
  return function signing(req, res, next) {
    if (shared.secret !== secret) {
      secret = shared.secret
      layer = build({ secret })
    }
    return layer(req, res, next)
  }
}
