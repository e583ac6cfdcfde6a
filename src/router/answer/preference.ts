import type { Request } from 'express'
import { preferencesOf } from '../../http/prefer.ts'

export type Wish = 'minimal' | 'representation'

/** What the client wants in the response to a write: `Prefer: return=minimal`. Undefined if it does not say. */
export function wishOf(req: Request): Wish | undefined {
  if (req.headers.prefer === undefined) return undefined
  const wish = preferencesOf(req).get('return')
  return wish === 'minimal' || wish === 'representation' ? wish : undefined
}

export function bodyFor(
  { data, removed }: { readonly data: unknown; readonly removed?: unknown },
  wish: Wish | undefined,
): unknown {
  return wish === 'representation' && removed !== undefined ? removed : data
}
