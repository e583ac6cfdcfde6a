import type { Request, RequestHandler } from 'express'
import { enterWorld } from '../core/kernel/http/world.ts'
import type { Beginning, RefusedBeginning } from './beginnings.ts'
import type { ServedWorld } from './served-world.ts'
import type { Config } from './settings.ts'

/** The worlds of a server beside the base: requests name them, and the first that may opens one. */
export interface Worlds {
  /** Gives each request the world that it names, or else the base. In front of all guards. */
  find(base: ServedWorld): RequestHandler
  /** Opens the world that a request names. Behind the guards: refused requests take up no room. */
  readonly enter: RequestHandler
  opened(): readonly ServedWorld[]
  /** An opened world. */
  peek(name: string): ServedWorld | undefined
  /**
   * Undefined if there is no room for another one.
   * @param beginning how it begins, if it is not there
   */
  open(name: string, beginning?: Beginning): ServedWorld | undefined
  /** Puts its data back. False if there can be no world of this name. */
  reset(name: string): Promise<boolean>
  end(name: string): boolean
  endAll(): void
}

/** Whether the config lets worlds begin beside the base. The setting goes with the feature that has it. */
export function mayHaveWorlds(config: Config): boolean {
  return Reflect.get(config, 'sessions') !== false
}

/** The server around worlds. */
export interface WorldsHost {
  readonly base: () => ServedWorld
  readonly config: () => Config
  /** How the world of a request begins, if the request says so. */
  beginningOf(req: Request): Beginning | RefusedBeginning | undefined
  onOpen(world: ServedWorld): void
  onEnd(world: ServedWorld): void
}

/** No other world than the base. */
export const ONLY_BASE: Worlds = {
  find: (base) =>
    function findBase(req, _res, next) {
      enterWorld(req, base)
      next()
    },
  enter: (_req, _res, next) => next(),
  opened: () => [],
  peek: () => undefined,
  open: () => undefined,
  reset: async () => false,
  end: () => false,
  endAll() {},
}
