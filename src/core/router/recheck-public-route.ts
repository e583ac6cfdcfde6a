import type { Request } from 'express'
import { collectionsOf } from '../engine/relations/relations.ts'
import { publicPasses, rewrites } from '../kernel/http/request-context.ts'
import type { RouterContext } from './context.ts'
import { sentPathOf } from './links.ts'
import { readDialect } from './query/dialects.ts'
import { parseDependents, parseRelations } from './query/parse-query.ts'
import { queryOf } from './query/query-string.ts'
import { findTarget, isCollectionName, isGetOrHead, type Target } from './target.ts'

/**
 * Guards skip public paths. If the request also touches other resources (nesting, `_embed`, cascade), the guard runs
 * after all, unless those are public too or a rewrite rule leads there. A guard that refuses has sent its response.
 */
export function recheckPublicRoute(context: RouterContext, req: Request): boolean {
  const reached = reachedBeside(context, req)
  return (publicPasses.get(req) ?? []).every(({ isPublic, admit }) => {
    const isOpen = (name: string) =>
      isPublic(sentPathOf(req, name)) || isPublic(`/${encodeURIComponent(name)}`)
    return reached.every(isOpen) || admit()
  })
}

function reachedBeside(context: RouterContext, req: Request): readonly string[] {
  const { engine } = context
  const target = findTarget(engine, req.path)
  if (target === undefined) return []
  const { name: own } = target.above?.[0] ?? target.parent ?? target
  return [...nestedIn(context, target, req), ...relatedTo(context, target, req)].filter(
    (name) => name !== own,
  )
}

function nestedIn(
  { engine }: RouterContext,
  { name, parent, above = [] }: Target,
  req: Request,
): readonly string[] {
  const isNested = parent && isCollectionName(engine, parent.name)
  if (!isNested || rewrites.get(req)?.endsByRule) return []
  return [...above, parent].map((row) => row.name).concat(name)
}

function relatedTo(
  { engine, cascade, shapes }: RouterContext,
  target: Target,
  req: Request,
): readonly string[] {
  const ruled = rewrites.get(req)?.parameters
  const { sent, parents = [] } = shapes?.of(req) ?? {}
  const isRuled = (name: string) => ruled?.has(sent?.get(name) ?? name)
  const query = Object.fromEntries(Object.entries(queryOf(req)).filter(([name]) => !isRuled(name)))
  if (isGetOrHead(req)) {
    const { embed, expand } = parseRelations(query, readDialect(query))
    return collectionsOf(engine, { embed, expand: [...expand, ...parents] })
  }
  if (req.method !== 'DELETE' || target.kind === 'object') return []
  const dependents = cascade ? engine.names() : parseDependents(query)
  return dependents.filter((name) => engine.kindOf(name) === 'collection')
}
