import type { Request } from 'express'
import { publicPasses, ruledParts } from '../http/reach.ts'
import { collectionsOf } from '../storage/relations/relations.ts'
import type { RouterContext } from './context.ts'
import { isGetOrHead } from './dispatch.ts'
import { sentPathOf } from './links.ts'
import { parseDependents, parseRelations } from './query/parse-query.ts'
import { queryOf } from './query/request-query.ts'
import { findTarget, isCollectionName, servedName, type Target } from './target.ts'

/**
 * Whether a request may have what it asks for, where a guard let it pass since its path is public. What is public is
 * the resource of that path: one that leads to others as well is judged as if it were not, unless those are public
 * too, or the owner's own rewrite rule leads there. Where a guard refuses, it has answered.
 */
export function mayReach(context: RouterContext, req: Request): boolean {
  const passes = publicPasses(req)
  if (passes.length === 0) return true
  const others = reachedBeside(context, req)
  return passes.every(({ isPublic, admit }) => {
    const isOpen = (name: string) =>
      isPublic(sentPathOf(req, name)) || isPublic(`/${encodeURIComponent(name)}`)
    return others.every(isOpen) || admit()
  })
}

/** The resources beside that of its path which a request reads or changes. */
function reachedBeside(context: RouterContext, req: Request): readonly string[] {
  const { engine } = context
  const target = findTarget(engine, req.path)
  if (target === undefined) return []
  const own = 'parent' in target ? servedName(engine, target.parent) : target.name
  return [...nestedIn(context, target, req), ...relatedTo(context, target, req)].filter(
    (name) => name !== own,
  )
}

/** Under a parent that is no collection there is nothing. */
function nestedIn({ engine }: RouterContext, target: Target, req: Request): readonly string[] {
  const isNested = 'parent' in target && isCollectionName(engine, target.parent)
  return isNested && !ruledParts(req)?.endsByRule ? [target.name] : []
}

function relatedTo({ engine, cascade }: RouterContext, target: Target, req: Request): readonly string[] {
  const ruled = ruledParts(req)?.parameters
  const query = Object.fromEntries(Object.entries(queryOf(req)).filter(([name]) => !ruled?.has(name)))
  if (isGetOrHead(req)) return collectionsOf(engine, parseRelations(query))
  if (req.method !== 'DELETE' || target.kind === 'object') return []
  const dependents = cascade ? engine.names() : parseDependents(query)
  return dependents.filter((name) => engine.kindOf(name) === 'collection')
}
