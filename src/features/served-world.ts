import type { Engine } from '../core/engine/engine.ts'
import { type World, type WorldState, worldOf } from '../core/kernel/http/world.ts'
import type { Clock } from '../core/kernel/util/clock.ts'
import type { Feed } from '../core/kernel/util/feed.ts'

/** A world with data. */
export abstract class ServedWorld implements World {
  abstract readonly name: string | undefined
  abstract readonly id: string
  abstract readonly engine: Engine
  abstract readonly base: World
  /** Whether it has data of its own: one that is only named, to end it, has not. */
  abstract readonly isOpen: boolean
  abstract of<T extends object>(state: WorldState<T>): T
  /** Called when it ends before the server does. */
  abstract onEnd(ending: () => void): void
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
  readonly isOpen = true
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

  onEnd(): void {}
}

/** Undefined for requests that no server of ours has taken on. */
export function servedWorldOf(req: object): ServedWorld | undefined {
  const world = worldOf(req)
  return world instanceof ServedWorld ? world : undefined
}
