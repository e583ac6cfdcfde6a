import type { Request, RequestHandler } from 'express'
import type { Access } from '../storage/access/rights.ts'
import type { Change, ChangeKind, CommitMeta, OutcomeByKind, WriteOptions } from '../storage/change.ts'
import type { Engine, EngineAccess } from '../storage/engine/engine.ts'
import { limitEngine } from '../storage/engine/limit-engine.ts'
import type { Row } from '../storage/types.ts'
import { Lru } from '../util/lru.ts'
import type { Notices } from './query/notices.ts'
import type { ResponseCache } from './response/response-cache.ts'
import type { RouterSettings } from './router-settings.ts'

export interface RouterContext extends RouterSettings {
  /** As the client sees it. */
  readonly engine: EngineAccess
  /** What the client may see and do; absent where everybody may do everything. */
  readonly access?: Access
  /** Dry run: writes are answered as if they had happened, but nothing is stored. */
  readonly isFake: boolean
  /** Says which parameters had no effect, where they are not refused. */
  readonly notices: Notices
  /** Answers to reads, as they were sent last time. */
  readonly responses: ResponseCache
  /** Who asks for a write, handed on with it; without it, nobody wants to know. */
  readonly metaOf?: ((req: Request) => CommitMeta) | undefined
  /** What is stored instead of secrets that a request sends; without it, there are none. */
  readonly sealOf?: SealOf | undefined
  /** The same for the request that is being answered. */
  readonly seal?: Seal | undefined
  /** Who asks for the write that is being answered. */
  readonly meta?: CommitMeta | undefined
  /** Compresses responses; without it another layer does, or none. */
  readonly compress: RequestHandler | undefined
}

/** Tells, for a request, what becomes of the secrets in a change that it asks for. Undefined if there are none. */
export type SealOf = (req: Request) => Seal

type Seal = (wanted: Change, client: Pick<RouterContext, 'engine' | 'access'>) => Promise<Sealed> | undefined

export type Sealed = Pick<WriteOptions, 'seals' | 'proof'>

/** What a write sends; undefined is a 404. */
export type WriteResponse =
  | {
      readonly status?: number
      readonly data: unknown
      readonly location?: string
      /** Position of the removed row, if requested. */
      readonly place?: number
      /** The current row or object, if the write was about one: its ETag goes with the response. */
      readonly row?: Row
      /** The deleted rows, for clients that prefer to get them. */
      readonly removed?: Row | readonly Row[]
      readonly total?: number
    }
  | undefined

/** Makes the change, or only a dry run of it. */
export function change<K extends ChangeKind>(
  context: RouterContext,
  wanted: Change<K> & Change,
  options?: WriteOptions,
): Promise<OutcomeByKind[K]> {
  const { engine, isFake, meta, seal } = context
  const noted = meta === undefined ? options : { ...options, meta }
  const full = isFake ? { ...noted, dryRun: true } : noted
  const sealing = seal?.(wanted, context)
  return sealing
    ? sealing.then((sealed) => engine.write<K>(wanted, { ...full, ...sealed }))
    : engine.write<K>(wanted, full)
}

/** Clients that see the same share a cache; there are this many. */
const MOST_CACHES = 1000

/** The router's context for each client: the data and the answers that it may see. */
export function viewedContexts(
  base: RouterContext,
  engine: Engine,
  accessOf: (req: Request) => Access,
): (req: Request) => RouterContext {
  const contexts = new WeakMap<Access, RouterContext>()
  const caches = new Lru<string, ResponseCache>({ limit: MOST_CACHES, onDrop: (responses) => responses.clear() })
  // Answers depend on what may be read, not on who reads it.
  const responsesFor = (key: string): ResponseCache => {
    const known = caches.get(key)
    if (known) return known
    const responses = base.responses.forEngine()
    caches.set(key, responses)
    return responses
  }
  return (req) => {
    const access = accessOf(req)
    const known = contexts.get(access)
    if (known) return known
    const context = { ...base, engine: limitEngine(engine, access), access, responses: responsesFor(access.key) }
    contexts.set(access, context)
    return context
  }
}
