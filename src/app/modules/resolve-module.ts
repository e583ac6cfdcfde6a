import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Resolves a path the way Node does: the file, the file without its extension, the main file of a folder. */
export function resolveModule(path: string): string | undefined {
  try {
    return require.resolve(path)
  } catch {
    return undefined
  }
}
