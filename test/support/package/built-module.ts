import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A module of the built program, loaded by Node and not by vitest: for what itself loads modules, which
 * vitest would otherwise transform on the way.
 */
export function builtModule<T>(path: string): T {
  return require(`../../../dist/${path}`) as T
}
