import { randomBytes } from 'node:crypto'

/** Unguessable, of letters, digits, `-` and `_`: 21 are as unique as a UUID. */
export function randomId(length = 21): string {
  return randomBytes(length).toString('base64url').slice(0, length)
}
