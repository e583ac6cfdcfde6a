import type { OperationKind } from '../../../catalogue/operation-kinds.ts'
import type { ApiSettings } from '../settings.ts'

/** A parameter that does not depend on the fields of a resource. */
export interface Parameter {
  readonly name: string
  readonly in?: 'header'
  readonly schema: object
  readonly description: string | ((settings: ApiSettings) => string)
  readonly deeds: readonly OperationKind[]
  /** If rows have a field of that name, it is a filter on that field. */
  readonly givesWay?: true
  readonly when?: (settings: ApiSettings) => boolean
}

export const TEXT = { type: 'string' }
export const COUNT = { type: 'integer', minimum: 0 }
export const TOGGLE = { type: 'boolean' }
/** `a,b`, or the parameter repeated. */
export const NAMES = { anyOf: [TEXT, { type: 'array', items: TEXT }] }
