import type { LayerInfo } from '../../service-info.ts'

/** What the service around the data is like, as far as a description can tell of it. */
export interface ApiSettings {
  readonly title: string
  readonly version: string
  /** The addresses at which it is reached. */
  readonly servers: readonly string[]
  readonly readOnly: boolean
  readonly cascade: boolean
  readonly snapshots: boolean
  /** Answers as JSONP. */
  readonly jsonp: boolean
  /** Names or origins are checked. */
  readonly doors: { readonly hosts: boolean; readonly origins: boolean }
  /** In the order they run. */
  readonly layers: readonly LayerInfo[]
  readonly rules: Readonly<Record<string, string>>
  /** What the rules make of a URL. */
  readonly rewrite: (url: string) => string
}

export function hasLayer({ layers }: ApiSettings, name: string): boolean {
  return layers.some((layer) => layer.kind === 'built-in' && layer.name === name)
}

/** A setting of a layer that is a number. */
export function numberOf({ layers }: ApiSettings, name: string, key: string): number {
  const value = layers.find((layer) => layer.name === name)?.settings[key]
  return typeof value === 'number' ? value : 0
}

/** The paths that a guard lets pass. */
export function publicRoutesOf({ layers }: ApiSettings, name: string): readonly string[] {
  const routes = layers.find((layer) => layer.name === name)?.settings.publicRoutes
  return Array.isArray(routes) ? routes.filter((route) => typeof route === 'string') : []
}
