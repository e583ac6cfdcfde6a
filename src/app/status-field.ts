import type { Request } from 'express'
import type { RewriteUrl } from '../http/rewrite-url.ts'
import { hasField } from '../storage/data/fields.ts'
import type { Engine } from '../storage/engine/engine.ts'

/** Whether `_status` in the URL of a request names a field of the data it leads to: then it is a filter, not a wish. */
export function statusField(
  engineOf: (req: Request) => Engine,
  rewrite: RewriteUrl,
): (req: Request) => Promise<boolean> {
  return async (req) => {
    const engine = engineOf(req)
    const [path = ''] = rewrite(req.originalUrl).split('?', 1)
    const tables = path.split('/').flatMap((name) => engine.database.table(name) ?? [])
    return (await Promise.all(tables.map((table) => hasField(table, '_status')))).includes(true)
  }
}
