import type { Request, RequestHandler } from 'express'
import type { Cause, Change, ChangeKind, OutcomeByKind, WriteOptions } from '../engine/change.ts'
import type { Engine, EngineAccess } from '../engine/engine.ts'
import { engineFor } from '../engine/engine-for.ts'
import type { Within } from '../engine/question.ts'
import type { Access } from '../engine/rules/rights.ts'
import type { Row } from '../engine/types.ts'
import { getOrMake } from '../kernel/util/get-or-make.ts'
import { Lru } from '../kernel/util/lru.ts'
import type { Attachments } from './attachments.ts'
import type { Notices } from './query/handle-ignored.ts'
import type { ResponseCache } from './response/response-cache.ts'
import type { Shapes } from './shape.ts'

/** Settings of the router, named as in the config, which passes them on as one value. */
export interface RouterSettings {
  /** Deleting a row also deletes its dependents. @default false */
  cascade: boolean
  /** A PUT of a missing item creates it. @default false */
  upsert: boolean
  /** Parameters of a read that have no effect are refused. @default false */
  strict: boolean
}

export function routerSettings({
  cascade = false,
  upsert = false,
  strict = false,
}: Partial<RouterSettings>): RouterSettings {
  return { cascade, upsert, strict }
}

export interface RouterContext extends RouterSettings {
  readonly engine: EngineAccess
  /** Absent where there are no accounts: every client may do everything. */
  readonly access?: Access | undefined
  /** Absent where rows are sent as they are. */
  readonly shapes?: Shapes | undefined
  /** Absent where rows name no files. */
  readonly attachments?: Attachments | undefined
  /** Dry run: the response is that of a write, and nothing is stored. */
  readonly isFake: boolean
  readonly notices: Notices
  readonly responses: ResponseCache
  /** Who causes a request's changes. */
  readonly causeOf?: ((req: Request) => Cause) | undefined
  /** Replaces secrets in changes before they are stored. */
  readonly sealOf?: PasswordHasherOf | undefined
  readonly seal?: PasswordHasher | undefined
  readonly cause?: Cause | undefined
  /** Without it, another layer compresses, or none. */
  readonly compress: RequestHandler | undefined
}

/** @param req without it, work goes on when the client has disconnected */
export type PasswordHasherOf = (req?: Request) => PasswordHasher

export type PasswordHasher = (
  change: Change,
  client: PasswordHasherClient,
) => Promise<HashedPasswords> | undefined

export interface PasswordHasherClient extends Pick<RouterContext, 'access'> {
  readonly engine: Pick<EngineAccess, 'read'>
}

export type HashedPasswords = Pick<WriteOptions, 'seals' | 'proof'>

/** A write to what a path leads to. */
export interface Write {
  readonly context: RouterContext
  readonly req: Request
  readonly name: string
  /** The parent in the path. */
  readonly within: Within | undefined
}

export interface ItemWrite extends Write {
  readonly id: string
}

/** The result of a write; undefined is a 404. */
export type WriteResponse =
  | {
      readonly status?: number
      readonly data: unknown
      readonly location?: string
      /** Position of the removed row, for the page. */
      readonly position?: number
      /** The row or object as it is now: its ETag goes with the response. */
      readonly row?: Row
      /** The deleted rows, for `Prefer: return=representation`. */
      readonly removed?: Row | readonly Row[]
      readonly total?: number
    }
  | undefined

export function change<K extends ChangeKind>(
  context: RouterContext,
  requested: Change<K> & Change,
  options?: WriteOptions,
): Promise<OutcomeByKind[K]> {
  const { engine, isFake, cause, seal } = context
  const caused = cause === undefined ? options : { ...options, ...cause }
  const full = isFake ? { ...caused, dryRun: true } : caused
  const sealing = seal?.(requested, context)
  return sealing
    ? sealing.then((sealed) => engine.write<K>(requested, { ...full, ...sealed }))
    : engine.write<K>(requested, full)
}

const MOST_CACHES = 1000

/** The context of each client: its engine, and a response cache shared by clients with equal rights. */
export function limitedContexts(
  base: RouterContext,
  engine: Engine,
  accessOf: (req: Request) => Access,
): (req: Request) => RouterContext {
  const contexts = new WeakMap<Access, RouterContext>()
  const caches = new Lru<string, ResponseCache>({
    limit: MOST_CACHES,
    onDrop: (responses) => responses.clear(),
  })
  const limited = (access: Access): RouterContext => ({
    ...base,
    engine: engineFor(engine, access),
    access,
    responses: getOrMake(caches, access.key, () => base.responses.forEngine()),
  })
  return (req) => {
    const access = accessOf(req)
    return getOrMake(contexts, access, () => limited(access))
  }
}
