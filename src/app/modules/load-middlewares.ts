import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type express from 'express'
import type { RequestHandler } from 'express'
import { ConfigError } from '../../errors.ts'
import { BUILT_IN_LAYERS } from '../config/config.ts'
import { nearest } from '../config/spelling.ts'
import { acceptExpress4Paths } from '../express/express-4-paths.ts'
import { loadModule } from './load-module.ts'
import { resolveModule } from './resolve-module.ts'

/**
 * The middlewares that files or package folders export, in the order listed. Paths are relative to the
 * working directory. Another `version` than last time reads the files anew.
 */
export async function loadMiddlewares(
  entries: readonly string[],
  version?: number,
): Promise<readonly RequestHandler[]> {
  const loaded = await Promise.all(entries.map((entry) => loadMiddleware(entry, version)))
  return loaded.flat()
}

async function loadMiddleware(entry: string, version?: number): Promise<readonly RequestHandler[]> {
  const file = resolveModule(resolve(entry))
  if (file === undefined) throw new ConfigError(`middlewares: there is no file "${entry}". ${hint(entry)}`)
  acceptPathsOfTheirExpress(file)
  const exported = await loadModule(file, `middlewares: "${entry}"`, version)
  const handlers: unknown[] = [exported].flat(Number.POSITIVE_INFINITY)
  if (handlers.length === 0 || !handlers.every(isHandler)) {
    throw new ConfigError(
      `middlewares: "${entry}" exports no function. ` +
        'Write module.exports = (req, res, next) => { … }, or export default with such a function or a list of them.',
    )
  }
  return handlers
}

/**
 * A file of the user's own may write Express 4's paths. The Express that it finds, or the one installed with us, may
 * be another copy than the one in use here, which is part of the bundled command.
 */
function acceptPathsOfTheirExpress(file: string): void {
  for (const from of [file, import.meta.url]) {
    try {
      const { Router }: typeof express = createRequire(from)('express')
      // In Express 4 the methods are elsewhere, and read such paths anyhow.
      if ('route' in Router.prototype) acceptExpress4Paths(Router.prototype)
    } catch {
      // It finds none, and so needs none.
    }
  }
}

function isHandler(value: unknown): value is RequestHandler {
  return typeof value === 'function'
}

function hint(entry: string): string {
  const names: readonly string[] = BUILT_IN_LAYERS
  const layer = nearest(entry, BUILT_IN_LAYERS)
  if (layer !== undefined) return `Did you mean the built-in layer "${layer}"?`
  const listed = entry.split(',')
  if (listed.length > 1 && listed.every((one) => names.includes(one))) {
    return `Separate them by spaces, or list them in the config file: --middlewares ${listed.join(' ')}`
  }
  const inPackages = `./node_modules/${entry}`
  if (existsSync(resolve(inPackages))) return `Write "${inPackages}".`
  return `Give a path from ${process.cwd()}, or one of ${BUILT_IN_LAYERS.join(', ')}.`
}
