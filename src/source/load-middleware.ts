import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RequestHandler } from 'express'
import { lendExpress4Paths } from '../compat/lend-express-4-paths.ts'
import { loadModule, resolveModule } from '../config/load-module.ts'
import { nearest } from '../config/spelling.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { isLayer, LAYER_NAMES } from '../core/layers/list.ts'

export async function loadMiddleware(entry: string, version?: number): Promise<readonly RequestHandler[]> {
  const file = resolveModule(resolve(entry))
  if (file === undefined) throw new ConfigError(`middlewares: there is no file "${entry}". ${hint(entry)}`)
  const takeBack = lendExpress4Paths(file)
  const exported = await loadModule(file, `middlewares: "${entry}"`, version).finally(takeBack)
  const handlers: unknown[] = [exported].flat(Number.POSITIVE_INFINITY)
  if (handlers.length === 0 || !handlers.every(isHandler)) {
    throw new ConfigError(
      `middlewares: "${entry}" exports no function. ` +
        'Write module.exports = (req, res, next) => { … }, or export default with such a function or a list of them.',
    )
  }
  return handlers
}

function isHandler(value: unknown): value is RequestHandler {
  return typeof value === 'function'
}

function hint(entry: string): string {
  const layer = nearest(entry, LAYER_NAMES)
  if (layer !== undefined) return `Did you mean the built-in layer "${layer}"?`
  const listed = entry.split(',')
  if (listed.length > 1 && listed.every(isLayer)) {
    return `Separate them by spaces, or list them in the config file: --middlewares ${listed.join(' ')}`
  }
  const inPackages = `./node_modules/${entry}`
  if (existsSync(resolve(inPackages))) return `Write "${inPackages}".`
  return `Use a path relative to ${process.cwd()}, or one of ${LAYER_NAMES.join(', ')}.`
}
