import type { FaultSettings } from '../catalogue/faults-info.ts'
import { Clock } from '../util/clock.ts'
import { Feed } from '../util/feed.ts'

/** The base, or a session: everything that a request can see or change. */
export interface World {
  /** Of the session; undefined for the base. */
  readonly name: string | undefined
  /** For tokens: a later session of the same name has another id. Empty for the base. */
  readonly id: string
  readonly clock: Clock
  readonly feed: Feed
  /** The world that a session was copied from; the base's is itself. */
  readonly base: World
  /** Absent where it began as its base is. */
  readonly beginning?: WorldBeginning | undefined
  /** State that a feature keeps for each world. A session's is made of the base's when it is first asked for. */
  of<T extends object>(state: WorldState<T>): T
  /** Called when it goes back to its own beginning; never where it has none. */
  onReset(act: () => void): void
}

/** The part of how a world began that layers and features read. */
export interface WorldBeginning {
  /** Requests for another one are refused. */
  readonly name: string
  /** In place of the rules of its base. */
  readonly faults?: FaultSettings | undefined
  /** The user that requests without credentials act as, by email or username. */
  readonly user?: string | undefined
}

export interface WorldState<T> {
  readonly base: T
  fork(base: T, world: World): T
}

/** Whether a world beside the base may be called so. */
export function isWorldName(name: string): boolean {
  return /^[\w.-]{1,64}$/.test(name)
}

const worlds = new WeakMap<object, World>()

/** For layers that are used without a server: the system's time, and no sessions. */
const ALONE: World = {
  name: undefined,
  id: '',
  clock: new Clock(),
  feed: new Feed(),
  get base() {
    return this
  },
  of: ({ base }) => base,
  onReset() {},
}

export function worldOf(req: object): World {
  return worlds.get(req) ?? ALONE
}

/** Undefined leaves the world: the request is none of this server. */
export function enterWorld(req: object, world: World | undefined): void {
  if (world) worlds.set(req, world)
  else worlds.delete(req)
}

/** Whether a server gave the request a world, with a clock that clients can set. */
export function isInWorld(req: object): boolean {
  return worlds.has(req)
}
