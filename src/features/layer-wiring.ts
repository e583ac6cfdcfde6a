import type { Request, RequestHandler } from 'express'
import type { Cause } from '../core/engine/change.ts'
import type { CommitMeta } from '../core/engine/data/store.ts'
import type { Engine } from '../core/engine/engine.ts'
import type { Access } from '../core/engine/rules/rights.ts'
import type { RewriteUrl } from '../core/kernel/http/request-url.ts'
import type { LayerNeeds } from '../core/layers/list.ts'
import type { Shared } from '../stores/postgres/shared.ts'
import type { Client } from '../wings/logic/runner.ts'
import type { Config } from './settings.ts'
import type { Worlds } from './worlds.ts'

/** The service around a layer, which outlives the data and the config that it was built under. */
export interface LayerWiring {
  /** The config that it is built under. */
  readonly config: Config
  /** The config in effect. */
  readonly currentConfig: () => Config
  /** The data of the base. */
  readonly currentEngine: () => Engine
  readonly accessOf: (req: Request) => Access | undefined
  readonly causeOf: CauseOf
  readonly worlds: Worlds
  /** Refuses pages of other sites. */
  readonly guard: RequestHandler
  readonly rewrite: RewriteUrl
  readonly log: (line: string) => void
  /** The logins that servers of the same data share, and the secret that they sign with by default. */
  readonly shared: Shared | undefined
  /** Where logins outlive a restart, if tokens do. */
  readonly loginFile: string | undefined
}

/** A feature's part of the needs of the layer that has its name. */
export type NeedsOfLayer = (wiring: LayerWiring) => Promise<Partial<LayerNeeds>>

/** Who causes the changes of a request, for the history and for hooks. */
export type CauseOf = (req: Request) => Cause & { readonly meta: CommitMeta; readonly by: Client }
