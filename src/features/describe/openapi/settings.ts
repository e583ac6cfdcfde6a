import type { AddedBody, AddedError, Endpoint } from '../../../core/kernel/catalogue/endpoint.ts'
import type { AccessInfo, LayerInfo } from '../../../core/kernel/catalogue/service-info.ts'
import type { ResponseShapes } from '../../../wings/shapes/response-shape.ts'

export interface Enforced {
  /** A schema, or references. */
  readonly validates: boolean
  readonly isUnique: boolean
  /** References may keep rows from being deleted. */
  readonly isHeldBack: boolean
}

export interface ApiSettings {
  readonly title: string
  readonly version: string
  readonly servers: readonly string[]
  readonly endpoints: readonly Endpoint[]
  readonly readOnly: boolean
  readonly cascade: boolean
  /** Absent where rows are sent as they are. */
  readonly shapes?: ResponseShapes | undefined
  readonly sessions: boolean
  /** The data is in a database, which may be unavailable. */
  readonly database?: boolean
  /** Errors that features add to the operations of others. */
  readonly addedErrors: readonly AddedError[]
  readonly addedBodies: readonly AddedBody[]
  readonly addedParameters: readonly string[]
  /** Request headers that only some features read. */
  readonly addedHeaders: readonly string[]
  readonly jsonp: boolean
  readonly originChecks: { readonly hosts: boolean; readonly origins: boolean }
  readonly enforced?: (resource: string) => Enforced
  /** The access rules of a resource; absent where every client may do everything. */
  readonly access?: (resource: string) => AccessInfo
  readonly layers: readonly LayerInfo[]
  readonly rewrites: Readonly<Record<string, string>>
  readonly rewrite: (url: string) => string
}

export function hasLayer({ layers }: ApiSettings, name: string): boolean {
  return layers.some((layer) => layer.kind === 'built-in' && layer.name === name)
}

/** An option of a layer, unless it is secret. */
export function optionOf({ layers }: ApiSettings, name: string, option: string): unknown {
  return layers.find((layer) => layer.kind === 'built-in' && layer.name === name)?.settings[option]
}

export function publicRoutesOf(settings: ApiSettings, name: string): readonly string[] {
  const routes = optionOf(settings, name, 'publicRoutes')
  return Array.isArray(routes) ? routes.filter((route) => typeof route === 'string') : []
}

/** The properties of an operation that errors and guards depend on. */
export interface OperationContext
  extends Pick<
    Endpoint,
    'kind' | 'method' | 'path' | 'body' | 'errors' | 'isFor' | 'isPrivate' | 'mayBeMissing'
  > {
  readonly tag: string
}

/** Whether guards that let everybody read look at it. */
export function isGuarded(place: Pick<Endpoint, 'method' | 'isPrivate'>): boolean {
  return place.isPrivate ?? isWrite(place)
}

export function isWrite({ method }: Pick<Endpoint, 'method'>): boolean {
  return method !== 'get'
}

export function isPublic(settings: ApiSettings, guard: string, path: string): boolean {
  return publicRoutesOf(settings, guard).some((route) => path === route || path.startsWith(`${route}/`))
}
