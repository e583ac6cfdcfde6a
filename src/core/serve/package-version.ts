import { createRequire } from 'node:module'

/** The path is the same from `src/core/serve` and `dist/bundle`. */
export function packageVersion(): string {
  const manifest: { version?: unknown } = createRequire(import.meta.url)('../../../package.json')
  return String(manifest.version)
}
