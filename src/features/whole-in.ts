import type { Request } from 'express'
import { StorageError } from '../core/kernel/catalogue/error-classes.ts'

/** A whole number in the query; undefined if it is not there. */
export function wholeIn({ query }: Request, name: string): number | undefined {
  const value: unknown = query[name]
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined) return undefined
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text)
  throw new StorageError('INVALID_QUERY', `${name} must be a whole number.`)
}
