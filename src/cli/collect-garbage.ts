import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** In bytes. With little data, a server has about half of it. */
const MUCH = 48_000_000

/** Frees the bytes and the text of large data that was loaded. V8 waits until it needs room: in an idle server, forever. */
export function collectGarbage(): void {
  const { heapUsed, external } = process.memoryUsage()
  if (heapUsed + external < MUCH) return
  const collect: unknown = globalThis.gc ?? exposed()
  if (typeof collect === 'function') collect()
}

function exposed(): unknown {
  try {
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('globalThis.gc')
    setFlagsFromString('--no-expose-gc')
    return gc
  } catch {
    // Bun and Deno have no such flags.
    return undefined
  }
}
