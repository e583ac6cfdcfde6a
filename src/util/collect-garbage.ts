import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Frees memory that is no longer used. V8 itself waits until it needs more, which for an idle process is never. */
export function collectGarbage(): void {
  try {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('globalThis.gc')
    setFlagsFromString('--no-expose-gc')
    if (typeof collect === 'function') collect()
  } catch {
    // Bun and Deno have no such flags.
  }
}
