import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A module of the built program, loaded by Node and not by vitest: for code that itself loads modules, which
 * vitest would otherwise transform.
 */
export function builtModule<T>(path: string): T {
  return require(`../../../dist/${path}`) as T
}
