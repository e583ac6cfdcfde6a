import type { Request, RequestHandler } from 'express'
import type { ClockOf } from '../http/clock-of.ts'
import type { RewriteUrl } from '../http/rewrite-url.ts'
import type { Hangs } from '../layers/faults/connection.ts'
import type { FaultRules } from '../layers/faults/fault-rules.ts'
import type { RewriteRules } from '../layers/rewriter.ts'
import type { OpenedSchemas } from '../resources/open-resources.ts'
import type { Access } from '../storage/access/rights.ts'
import type { Engine } from '../storage/engine/engine.ts'
import type { Images } from '../storage/engine/snapshots.ts'
import type { Feed } from '../util/feed.ts'
import type { Config } from './config/config.ts'
import type { Front } from './overrides.ts'
import type { Routed } from './sessions/routed.ts'
import type { Sessions } from './sessions/sessions.ts'

/** Everything the chain is made of, already loaded. */
export interface Parts {
  readonly config: Config
  readonly engine: Engine
  /** Where the data's own place keeps copies of it. */
  readonly images: Images | undefined
  readonly routed: Routed
  readonly sessions: Sessions
  readonly rules: RewriteRules
  /** What they make of a URL. */
  readonly rewrite: RewriteUrl
  readonly schemas: OpenedSchemas
  readonly listed: readonly Listed[]
  /** Seconds since the server started, across reloads. */
  readonly uptime: () => number
  readonly feed: Feed
  readonly front: Front
  readonly clockOf: ClockOf
  /** What a client may see and do; absent where everybody may do everything. */
  readonly accessOf: ViewOf | undefined
  readonly faultsOf: (req: Request) => FaultRules
  /** Those for requests without a session. */
  readonly baseFaults: FaultRules
  readonly hangs: Hangs
  /** What snapshots are named by. */
  readonly now: () => number
  readonly log: (line: string) => void
}

type ViewOf = (req: Request) => Access

/** An entry of `middlewares`, ready to run. */
export interface Listed {
  readonly handlers: readonly RequestHandler[]
  /** A user's file, not one of our layers. */
  readonly isFile: boolean
}
