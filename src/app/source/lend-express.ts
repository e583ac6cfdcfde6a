import nodeModule, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express from 'express'

type Resolve = (this: unknown, request: string, ...rest: readonly unknown[]) => string

/** No file has this path: Node finds what is in the cache under it. */
const OURS = `${fileURLToPath(import.meta.url)}#express`

/**
 * Lets CommonJS modules require the Express of this package where the project has none. Those made for json-server, such as
 * json-server-auth, use the one that was installed with it.
 */
export function lendExpress(): void {
  const { cache } = createRequire(import.meta.url)
  if (cache[OURS]) return
  const entry = Object.assign(new nodeModule.Module(OURS), { filename: OURS, loaded: true, exports: express })
  cache[OURS] = entry
  const resolve: Resolve = Reflect.get(nodeModule, '_resolveFilename')
  const resolveOrLend: Resolve = function (request, ...rest) {
    try {
      return resolve.call(this, request, ...rest)
    } catch (error) {
      if (request === 'express') return OURS
      throw error
    }
  }
  Reflect.set(nodeModule, '_resolveFilename', resolveOrLend)
}
