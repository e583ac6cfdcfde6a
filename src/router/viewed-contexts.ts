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
export class ViewedContexts {
  readonly #base: RouterContext
  readonly #engine: Engine
  readonly #viewOf: (req: Request) => View
  readonly #contexts = new WeakMap<View, RouterContext>()
  readonly #answers = new Lru<string, AnswerCache>({
    limit: MOST_CACHES,
    onDrop: (answers) => answers.clear(),
  })

  constructor(base: RouterContext, engine: Engine, viewOf: (req: Request) => View) {
    this.#base = base
    this.#engine = engine
    this.#viewOf = viewOf
  }

  of(req: Request): RouterContext {
    const view = this.#viewOf(req)
    const known = this.#contexts.get(view)
    if (known) return known
    const engine = seenBy(this.#engine, view)
    const context = { ...this.#base, engine, view, answers: this.#answersFor(view) }
    this.#contexts.set(view, context)
    return context
  }

  /** Answers depend on what may be read, not on who reads it. */
  #answersFor({ key }: View): AnswerCache {
    const known = this.#answers.get(key)
    if (known) return known
    const answers = this.#base.answers.forAnother()
    this.#answers.set(key, answers)
    return answers
  }
}
