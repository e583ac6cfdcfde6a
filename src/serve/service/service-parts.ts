import type { RequestHandler } from 'express'
import type { RewriteRules } from '../../core/kernel/http/request-url.ts'
import type { Notices } from '../../core/router/query/handle-ignored.ts'
import type { Active, Generation, MountedFeature } from '../../features/feature.ts'
import type { BaseWorld } from '../../features/served-world.ts'
import type { TestHandlers } from '../test-handlers.ts'
import type { ServiceLogic } from './service-logic.ts'

export interface ServiceGeneration extends Generation {
  /** Its features, in the order of their list. */
  readonly mounted: readonly MountedFeature[]
  /** The world of requests that name none. */
  readonly base: BaseWorld
  readonly rewrites: RewriteRules
  readonly serviceLogic: ServiceLogic
  readonly listed: readonly ListedMiddleware[]
  readonly overrides: TestHandlers
  readonly notices: Notices
}

/** The features that are on. */
export function activeIn({ mounted }: ServiceGeneration): readonly Active[] {
  return mounted.flatMap(({ isOn, active }) => (isOn ? active : []))
}

export interface ListedMiddleware {
  readonly handlers: readonly RequestHandler[]
  readonly isFile: boolean
  /** Of a layer: its name and options. */
  readonly key?: string
}
