import type { Request } from 'express'
import type { RewriteUrl } from '../http/rewrite-url.ts'
import type { Engine } from '../storage/engine.ts'
import { hasField } from '../storage/read-rows.ts'

/** Whether `_status` in the URL of a request names a field of the data it leads to: then it is a filter, not a wish. */
export function statusField(
  engineOf: (req: Request) => Engine,
  rewrite: RewriteUrl,
): (req: Request) => Promise<boolean> {
  return async (req) => {
    const engine = engineOf(req)
    const [path = ''] = rewrite(req.originalUrl).split('?', 1)
    const collections = path.split('/').filter((name) => engine.kindOf(name) === 'collection')
    const found = await Promise.all(collections.map((name) => hasField(engine, name, '_status')))
    return found.includes(true)
  }
}
