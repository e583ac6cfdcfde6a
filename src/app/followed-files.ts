import { resolve } from 'node:path'
import { schemaFiles } from '../resources/bundle-schema.ts'
import { BUILT_IN_LAYERS, type Config } from './config/config.ts'
import { isHandlerName } from './config/given-handler.ts'
import { moduleFiles } from './source/module-files.ts'

/** The files behind each name in the config, as absolute paths. */
export type FollowedFiles = ReadonlyMap<string, readonly string[]>

/** Resolves them again on each call: a module's imports may have changed. */
export async function followedFiles(config: Config, hasData: boolean): Promise<FollowedFiles> {
  const { source, routes, middlewares, hosted, resources = {} } = config
  const schemas = Object.values(resources).flatMap(({ schema }) =>
    typeof schema === 'string' ? [schema] : [],
  )
  const builtIn: readonly string[] = BUILT_IN_LAYERS
  const isFile = source !== undefined && !/^(https?|postgres(ql)?):/i.test(source) && !hosted && !hasData
  const modules = [
    ...(isFile && !/\.json$/i.test(source) ? [source] : []),
    ...middlewares.filter((entry) => !builtIn.includes(entry) && !isHandlerName(entry)),
  ]
  return new Map([
    ...(isFile ? [[source, [resolve(source)]] as const] : []),
    ...(routes === undefined ? [] : [[routes, [resolve(routes)]] as const]),
    ...schemas.map((schema) => [schema, schemaFiles(schema)] as const),
    ...(await Promise.all(modules.map(async (entry) => [entry, await moduleFiles(entry)] as const))),
  ])
}
