import type { CommitMeta } from '../core/engine/data/store.ts'
import type { Engine } from '../core/engine/engine.ts'
import { type World, type WorldState, worldOf } from '../core/kernel/http/world.ts'
import type { Clock } from '../core/kernel/util/clock.ts'
import type { Feed } from '../core/kernel/util/feed.ts'
import type { Beginning } from './beginnings.ts'

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
  readonly beginning: Beginning | undefined
  readonly #onReset: (() => void)[] = []

  constructor(clock: Clock, feed: Feed, beginning?: Beginning) {
    this.clock = clock
    this.feed = feed
    this.beginning = beginning
  }

  /** Puts its data back, and where it began in its own way, also its clock and what features keep for it. */
  async reset(meta?: CommitMeta): Promise<void> {
    await this.engine.reset(meta)
    if (!this.beginning) return
    const { clock, base } = this
    if (base === this || base.clock.isReal) clock.reset()
    else clock.set(base.clock.face)
    this.beginning.turn(clock)
    for (const act of this.#onReset) act()
  }

  onReset(act: () => void): void {
    if (this.beginning) this.#onReset.push(act)
  }
}

/** The data of a server, as one generation serves it. */
export class BaseWorld extends ServedWorld {
  readonly name = undefined
  readonly id = ''
  readonly isOpen = true
  readonly engine: Engine

  constructor(engine: Engine, clock: Clock, feed: Feed, beginning?: Beginning) {
    super(clock, feed, beginning)
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
