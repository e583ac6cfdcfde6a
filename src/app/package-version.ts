import { createRequire } from 'node:module'

/** The version of this package. */
export function packageVersion(): string {
  const manifest: { version?: unknown } = createRequire(import.meta.url)('../../package.json')
  return String(manifest.version)
}
