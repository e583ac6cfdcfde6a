import type { Row } from './types.ts'

/** Stands where a removed row was, so that the rows behind it keep their ranks. */
export const TOMBSTONE: Row = Object.freeze({})
