import type { Request } from 'express'
import type { Database } from '../core/engine/data/database.ts'
import type { Data } from '../core/engine/types.ts'
import type { ErrorCode } from '../core/kernel/catalogue/errors.ts'
import type { WorldBeginning } from '../core/kernel/http/world.ts'
import type { Clock } from '../core/kernel/util/clock.ts'

/** How a world begins, in place of as its base is. */
export interface Beginning extends WorldBeginning {
  /** The name of the world, for requests that name none. */
  readonly world: string
  /** Resources in place of those of its base, as they are stored. */
  readonly data: Data
  /** The same as the engine of the base serves them; undefined if there are none. */
  readonly served: Database | undefined
  /** Sets a clock that shows what that of its base does. */
  turn(clock: Clock): void
}

export interface RefusedBeginning {
  readonly code: ErrorCode
  readonly message: string
}

/** How worlds may begin under a config. */
export interface Beginnings {
  readonly names: readonly string[]
  /** How the base begins. Then nothing is saved. */
  readonly base: Beginning | undefined
  /** @param names one, or several, by comma */
  find(names: string): Beginning | RefusedBeginning
  /** Of a request, if it names any. */
  of(req: Request): Beginning | RefusedBeginning | undefined
}

export function isRefused(beginning: Beginning | RefusedBeginning): beginning is RefusedBeginning {
  return 'code' in beginning
}
