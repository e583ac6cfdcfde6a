import type { Endpoint } from '../../catalogue/endpoint.ts'
import { type ApiSettings, publicRoutesOf } from './settings.ts'

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
