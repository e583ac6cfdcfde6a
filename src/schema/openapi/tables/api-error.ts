import type { ApiSettings } from '../settings.ts'
import type { Deed } from './deeds.ts'

/** An operation, as far as its errors depend on it. */
export interface Place {
  readonly deed: Deed
  readonly resource: string
  readonly path: string
}

export interface ApiError {
  readonly status: number
  readonly code: string
  readonly when: string | ((settings: ApiSettings, place: Place) => string)
  readonly deeds: readonly Deed[]
  readonly given?: (settings: ApiSettings, place: Place) => boolean
  /** The guard it comes from: public paths do not have it. */
  readonly guard?: string
}
