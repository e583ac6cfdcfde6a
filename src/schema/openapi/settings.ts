import type { Endpoint } from '../../catalogue/endpoint.ts'
import type { AccessInfo, LayerInfo } from '../../catalogue/service-info.ts'

export interface Enforced {
  /** A schema, or references. */
  readonly validates: boolean
  readonly isUnique: boolean
  /** Others may keep rows from being deleted. */
  readonly isHeldBack: boolean
}

export interface ApiSettings {
  readonly title: string
  readonly version: string
  readonly servers: readonly string[]
  /** What is served beside the data. */
  readonly endpoints: readonly Endpoint[]
  readonly readOnly: boolean
  readonly cascade: boolean
  /** A PUT of a missing item creates it. */
  readonly upsert: boolean
  /** Parameters of a read that have no effect are refused. */
  readonly strict: boolean
  readonly sessions: boolean
  /** The data is in a database, which may be away. */
  readonly database?: boolean
  readonly faults: boolean
  readonly jsonp: boolean
  readonly doors: { readonly hosts: boolean; readonly origins: boolean }
  readonly enforced?: (resource: string) => Enforced
  /** Who may do what with a resource; absent where everybody may do everything. */
  readonly access?: (resource: string) => AccessInfo
  /** In the order they run. */
  readonly layers: readonly LayerInfo[]
  readonly rules: Readonly<Record<string, string>>
  /** What the rules make of a URL. */
  readonly rewrite: (url: string) => string
}

export function hasLayer({ layers }: ApiSettings, name: string): boolean {
  return layers.some((layer) => layer.kind === 'built-in' && layer.name === name)
}

/** What a layer is told, as far as it is not secret. */
export function optionOf({ layers }: ApiSettings, name: string, option: string): unknown {
  return layers.find((layer) => layer.kind === 'built-in' && layer.name === name)?.settings[option]
}

export function publicRoutesOf(settings: ApiSettings, name: string): readonly string[] {
  const routes = optionOf(settings, name, 'publicRoutes')
  return Array.isArray(routes) ? routes.filter((route) => typeof route === 'string') : []
}

/** An operation, as far as its errors and guards depend on it. */
export interface Place extends Pick<Endpoint, 'kind' | 'method' | 'path' | 'body' | 'errors' | 'isFor'> {
  /** The resource it is of. */
  readonly tag: string
}

export function isWrite({ method }: Pick<Endpoint, 'method'>): boolean {
  return method !== 'get'
}

/** Whether a guard lets everybody pass there. */
export function isPublic(settings: ApiSettings, guard: string, path: string): boolean {
  return publicRoutesOf(settings, guard).some((route) => path === route || path.startsWith(`${route}/`))
}
