import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Where Node finds the module at a path: the file, the file without its ending, the main file of a folder. */
export function resolveModule(path: string): string | undefined {
  try {
    return require.resolve(path)
  } catch {
    return undefined
  }
}
