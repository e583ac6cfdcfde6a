import { createRequire } from 'node:module'

export function packageVersion(): string {
  const manifest: { version?: unknown } = createRequire(import.meta.url)('../../package.json')
  return String(manifest.version)
}
