import { existsSync } from 'node:fs'
import { rolesOf, usersIn } from '../../config/resource-config.ts'
import { isFolder } from '../../config/static-files.ts'
import { isGuard, isLayer, LAYER_NAMES, LAYERS, layerNamed } from '../../core/layers/list.ts'
import { DEFAULTS } from '../../core/layers/parts/options.ts'
import { isPostgres } from '../../stores/postgres/address.ts'
import type { Feature } from '../feature.ts'
import type { Config } from '../settings.ts'

/** @param features those that are on */
export function configWarnings(config: Config, features: readonly Feature[]): readonly string[] {
  return [
    ...onLayers(config),
    ...onOrder(config),
    ...onFolders(config),
    ...onOrigins(config, features),
    ...features.flatMap(({ warnings }) => [...(warnings?.(config) ?? [])]),
    ...onRest(config),
  ]
}

type Lines = Generator<string, void>

function* onLayers({ layers, middlewares }: Config): Lines {
  for (const layer of LAYER_NAMES) {
    const { key } = LAYERS[layer]
    if (!Object.hasOwn(layers, key) || middlewares.includes(layer)) continue
    yield `${key}: the layer is off. Add "${layer}" to middlewares to turn it on.`
  }
  const other = middlewares.find((entry) => entry === 'jwt' || entry === 'accounts')
  if (middlewares.includes('bearer') && other !== undefined && layers.bearer?.publicRoutes === undefined) {
    yield `middlewares: bearer and ${other} both read the Authorization header, which holds one token, so no write can pass ` +
      `both. Keep one of them, or list the paths that ${other} should guard in bearer.publicRoutes.`
  }
}

function* onOrder({ middlewares }: Config): Lines {
  const first = middlewares.findIndex(isGuard)
  const guard = middlewares[first]
  if (guard === undefined) return
  if (middlewares.indexOf('cors') > first) {
    yield `middlewares: cors comes after ${guard}, so browsers cannot read its refusals. Put cors first.`
  }
  if (middlewares.indexOf('logger') > first) {
    yield `middlewares: logger comes after ${guard}, so the requests it refuses are not logged. Put logger before it.`
  }
  const file = middlewares.findIndex((entry) => !isLayer(entry))
  const late = file < 0 ? undefined : middlewares.slice(file).find(isGuard)
  if (late !== undefined) {
    yield `middlewares: ${late} comes after ${middlewares[file]}, so that file sees requests, and bodies are read, ` +
      'before they are checked. List guards first.'
  }
}

function* onFolders({ static: named = [], snapshots, source }: Config): Lines {
  for (const folder of [named].flat().filter((each) => !isFolder(each))) {
    yield `static: there is no folder "${folder}", so no static files are served from it. Create it, or correct the path.`
  }
  if (snapshots === undefined) return
  if (isPostgres(source)) {
    yield `snapshots: the database keeps them, for all servers that share it. The folder "${snapshots}" is not used.`
  } else if (existsSync(snapshots) && !isFolder(snapshots)) {
    yield `snapshots: "${snapshots}" is a file, so no snapshot can be saved. Name a folder.`
  }
}

/** Warns of a restriction that another setting defeats, and of two that leave nothing open. */
function* onOrigins(config: Config, features: readonly Feature[]): Lines {
  const { allowedHosts, allowedOrigins, noCors, middlewares } = config
  if (allowedHosts && !allowedOrigins && !noCors) {
    yield 'allowedHosts: pages of any origin can still read and change the data, since CORS is open. List the origins you trust in allowedOrigins.'
  }
  if (allowedOrigins && allowedOrigins.length > 0 && noCors && !middlewares.includes('cors')) {
    yield 'allowedOrigins: with noCors on, browsers do not let those pages read responses. Remove noCors.'
  }
  if (!middlewares.includes('cors')) return
  const allowed = (config.layers.cors?.allowedHeaders ?? DEFAULTS.cors.allowedHeaders).map((name) =>
    name.toLowerCase(),
  )
  const named = new Set<string>()
  for (const [header, user] of neededHeaders(config, features)) {
    // To browsers, `*` means every header except Authorization.
    const isAllowed = allowed.includes('*') && header !== 'Authorization'
    if (!user || named.has(header)) continue
    named.add(header)
    if (isAllowed || allowed.includes(header.toLowerCase())) continue
    yield `cors: browsers will not send ${header}, which ${user} needs, from pages of other origins. Add it to ` +
      'cors.allowedHeaders, or leave cors out of middlewares: without it every header is allowed.'
  }
}

/** Headers that browsers send only if `cors` allows them, and the layers and settings that need them, if they are on. */
function neededHeaders(
  config: Config,
  features: readonly Feature[],
): readonly (readonly [string, string | false | undefined])[] {
  const { middlewares, layers, strict, upsert } = config
  const isListed = (name: string) => middlewares.includes(name)
  return [
    ...guardHeaders(middlewares),
    ['Prefer', strict && 'strict'],
    ...features.flatMap(({ headers }) => headers?.(config) ?? []),
    // They tell a PUT that creates from one that replaces.
    ['If-Match', upsert && 'upsert'],
    ['If-None-Match', upsert && 'upsert'],
    ['X-Mock-User', isListed('accounts') && layers.accounts?.persona && 'accounts.persona'],
  ]
}

/** Each header once, with the first layer that reads it. */
function guardHeaders(middlewares: readonly string[]): readonly (readonly [string, string])[] {
  const readers = new Map<string, string>()
  for (const entry of middlewares) {
    const header = layerNamed(entry)?.header
    if (header !== undefined && !readers.has(header)) readers.set(header, entry)
  }
  return [...readers]
}

function* onRest(config: Config): Lines {
  const { middlewares, layers } = config
  if (!usersIn(config)) return
  if (middlewares.includes('cors') && layers.accounts?.cookies) {
    yield 'accounts.cookies: the cors layer allows every origin, and then browsers send no cookies from pages of others. ' +
      'Leave cors out of middlewares, or serve the page from here.'
  }
  if (!rolesOf(config).includes('admin')) {
    yield 'accounts.roles: there is no "admin", and only users of that role may undo, reset, restore snapshots, set faults, ' +
      'turn the clock and see the history, sessions and requests of others. Add "admin" to accounts.roles.'
  }
}
