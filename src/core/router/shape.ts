import type { Request, Response } from 'express'
import type { Catalog, Engine, EngineAccess } from '../engine/engine.ts'
import type { PageParameter } from './links.ts'
import type { OwnStatuses } from './own-statuses.ts'
import type { RenderableResult } from './read.ts'

/** The port of response shapes: what stands around the rows, and what queries and bodies mean under it. */
export interface Shapes {
  /** Whether errors look otherwise, too, or have other statuses. */
  readonly hasErrors: boolean
  /** Errors look as the shape of their resource has them from then on, but for those of the server's own endpoints. */
  shapeErrors(req: Request, res: Response, context: ShapedErrorContext): void
  /**
   * Queries are read in the words of the shape from then on. Call right before: what names mean depends on the rows.
   * @param own the engine as the client may use it
   */
  enter(engine: Engine, own: EngineAccess, req: Request, res: Response): Promise<void>
  /** Undefined if the response to a request has no shape. */
  of(req: Request): ShapedRequest | undefined
  /** A result as the request's shape has it: what is sent, and what is said about the query. */
  result(req: Request, res: Response, found: RenderableResult): RenderableResult
  item(req: Request, row: unknown): unknown
  /**
   * Makes `req.body` what it would be without a shape.
   * @param itemId of the row that the path leads to
   */
  unwrapBody(req: Request, engine: EngineAccess, itemId: string | undefined): Promise<void>
}

export interface ShapedErrorContext {
  readonly engine: Catalog
  /** May be malformed, which is then what the error is about. */
  readonly pathOf: () => string
  readonly timeOf: () => string
}

export interface ShapedRequest {
  readonly resource: string
  /** The client's names of our parameters. */
  readonly sent: ReadonlyMap<string, string>
  /** Relations that are read only to filter or sort by. */
  readonly parents: readonly string[]
  readonly pageParameter: PageParameter
  readonly status: OwnStatuses
  /** Tells responses of equal URLs apart that look different. */
  readonly cachePrefix: string
}
