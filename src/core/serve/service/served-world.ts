import type { Engine } from '../../engine/engine.ts'
import { type World, type WorldState, worldOf } from '../../kernel/http/world.ts'
import type { Clock } from '../../kernel/util/clock.ts'
import type { Feed } from '../../kernel/util/feed.ts'

/** A world with data. */
export abstract class ServedWorld implements World {
  abstract readonly name: string | undefined
  abstract readonly id: string
  abstract readonly engine: Engine
  abstract readonly base: World
  abstract of<T extends object>(state: WorldState<T>): T
  readonly clock: Clock
  readonly feed: Feed

  constructor(clock: Clock, feed: Feed) {
    this.clock = clock
    this.feed = feed
  }
}

/** The data of a server, as one generation serves it. */
export class BaseWorld extends ServedWorld {
  readonly name = undefined
  readonly id = ''
  readonly engine: Engine

  constructor(engine: Engine, clock: Clock, feed: Feed) {
    super(clock, feed)
    this.engine = engine
  }

  get base(): World {
    return this
  }

  of<T extends object>(state: WorldState<T>): T {
    return state.base
  }
}

/** Undefined for requests that no server of ours has taken on. */
export function servedWorldOf(req: object): ServedWorld | undefined {
  const world = worldOf(req)
  return world instanceof ServedWorld ? world : undefined
}
