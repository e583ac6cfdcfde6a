import type { Request } from 'express'
import type { RewriteUrl } from '../../http/rewrite-url.ts'
import { plainPath, plainPathIn } from '../_guard.ts'

/**
 * The paths by which a request may name an endpoint of a layer: the client's own, then what rewrite rules make of it. So
 * `/api/login` works as `/login` does where `/api/*` leads to `/$1`. None where parsers may disagree about the URL.
 * @param rewrite by rules behind the layer; by default, those in front of it count
 */
export function endpointPaths(req: Request, rewrite: RewriteUrl = () => req.url): readonly string[] {
  const { baseUrl, originalUrl } = req
  const own = plainPath(req)
  if (own === undefined || !own.startsWith(baseUrl)) return []
  const rewritten = plainPathIn(rewrite(originalUrl.slice(baseUrl.length)))
  return [own.slice(baseUrl.length), ...(rewritten === undefined ? [] : [rewritten])]
}
