import type { Request } from 'express'
import type { Access } from '../storage/access/rights.ts'
import type { Engine } from '../storage/engine/engine.ts'
import { limitEngine } from '../storage/engine/limit-engine.ts'
import { Lru } from '../util/lru.ts'
import type { RouterContext } from './context.ts'
import type { ResponseCache } from './response/response-cache.ts'

/** Clients that see the same share a cache; there are this many. */
const MOST_CACHES = 1000

/** The router's context for each client: the data and the answers that it may see. */
export function viewedContexts(
  base: RouterContext,
  engine: Engine,
  accessOf: (req: Request) => Access,
): (req: Request) => RouterContext {
  const contexts = new WeakMap<Access, RouterContext>()
  const caches = new Lru<string, ResponseCache>({ limit: MOST_CACHES, onDrop: (answers) => answers.clear() })
  // Answers depend on what may be read, not on who reads it.
  const answersFor = (key: string): ResponseCache => {
    const known = caches.get(key)
    if (known) return known
    const answers = base.answers.forAnother()
    caches.set(key, answers)
    return answers
  }
  return (req) => {
    const access = accessOf(req)
    const known = contexts.get(access)
    if (known) return known
    const context = { ...base, engine: limitEngine(engine, access), access, answers: answersFor(access.key) }
    contexts.set(access, context)
    return context
  }
}
