import type { Request } from 'express'
import { Lru } from '../lru.ts'
import type { Engine } from '../storage/engine/engine.ts'
import { seenBy } from '../storage/engine/viewed-engine.ts'
import type { View } from '../storage/view.ts'
import type { AnswerCache } from './answer/answer-cache.ts'
import type { RouterContext } from './context.ts'

/** Clients that see the same share a cache; there are this many. */
const MOST_CACHES = 1000

/** The router's context for each client: the data and the answers that it may see. */
export function viewedContexts(
  base: RouterContext,
  engine: Engine,
  viewOf: (req: Request) => View,
): (req: Request) => RouterContext {
  const contexts = new WeakMap<View, RouterContext>()
  const caches = new Lru<string, AnswerCache>({ limit: MOST_CACHES, onDrop: (answers) => answers.clear() })
  // Answers depend on what may be read, not on who reads it.
  const answersFor = (key: string): AnswerCache => {
    const known = caches.get(key)
    if (known) return known
    const answers = base.answers.forAnother()
    caches.set(key, answers)
    return answers
  }
  return (req) => {
    const view = viewOf(req)
    const known = contexts.get(view)
    if (known) return known
    const context = { ...base, engine: seenBy(engine, view), view, answers: answersFor(view.key) }
    contexts.set(view, context)
    return context
  }
}
