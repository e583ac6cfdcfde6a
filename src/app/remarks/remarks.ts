import { existsSync } from 'node:fs'
import { DEFAULTS } from '../../layers/_defaults.ts'
import { isPostgres } from '../../storage/postgres/link/address.ts'
import { isBuiltIn } from '../build-layer.ts'
import type { BuiltInLayer, Config, LayerOptions } from '../config/config.ts'
import { accountsOf, rolesOf } from '../config/sign-in.ts'

/** Warnings about settings that work, but are hardly intended: one line each, with what to do. */
export function remarksOn(config: Config): readonly string[] {
  return [
    ...unusedOptions(config),
    ...twoTokens(config),
    ...lateLayers(config),
    ...lateGuards(config),
    ...noFolder(config),
    ...noSnapshotFolder(config),
    ...halfOpen(config),
    ...narrowCors(config),
    ...failing(config),
    ...remarksOnAccounts(config),
  ]
}

/** Prints remarks, each once as long as it applies. */
export class Remarks {
  readonly #log: (line: string) => void
  readonly #said = new Map<string, readonly string[]>()

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  /** Everything there currently is to say about a subject. */
  say(about: string, remarks: readonly string[]): void {
    const known = this.#said.get(about) ?? []
    for (const remark of remarks) if (!known.includes(remark)) this.#log(remark)
    this.#said.set(about, remarks)
  }
}

/** Easily forgotten, and then hard to explain. */
function failing({ faults, noFaults }: Config): readonly string[] {
  const count = faults?.rules?.filter(({ on = true }) => on).length ?? 0
  if (noFaults || count === 0) return []
  const rules = count === 1 ? 'a rule makes' : `${count} rules make`
  return [`faults: ${rules} requests fail on purpose. Start with --no-faults to serve without.`]
}

const LAYER_OF: Readonly<Record<keyof LayerOptions, BuiltInLayer>> = {
  cors: 'cors',
  delay: 'delay',
  logger: 'logger',
  apiKey: 'api-key',
  bearer: 'bearer',
  jwt: 'jwt',
  accounts: 'accounts',
  rateLimit: 'rate-limit',
}

const GUARDS = ['rate-limit', 'api-key', 'bearer', 'jwt', 'accounts']

function unusedOptions({ layers, middlewares }: Config): readonly string[] {
  return Object.entries(LAYER_OF)
    .filter(([key, layer]) => Object.hasOwn(layers, key) && !middlewares.includes(layer))
    .map(([key, layer]) => `${key}: the layer is off. Add "${layer}" to middlewares to turn it on.`)
}

function twoTokens({ layers, middlewares }: Config): readonly string[] {
  const other = middlewares.find((entry) => entry === 'jwt' || entry === 'accounts')
  const isClash = middlewares.includes('bearer') && other !== undefined
  if (!isClash || layers.bearer?.publicRoutes !== undefined) return []
  return [
    `middlewares: bearer and ${other} both read the Authorization header, which holds one token, so no write can pass ` +
      `both. Keep one of them, or list the paths that ${other} should guard in bearer.publicRoutes.`,
  ]
}

function lateLayers({ middlewares }: Config): readonly string[] {
  const guard = middlewares.find((entry) => GUARDS.includes(entry))
  if (guard === undefined) return []
  const isLate = (layer: BuiltInLayer) => middlewares.indexOf(layer) > middlewares.indexOf(guard)
  return [
    ...(isLate('cors')
      ? [`middlewares: cors comes after ${guard}, so browsers cannot read its refusals. Put cors first.`]
      : []),
    ...(isLate('logger')
      ? [
          `middlewares: logger comes after ${guard}, so the requests it refuses are not logged. Put logger before it.`,
        ]
      : []),
  ]
}

function lateGuards({ middlewares }: Config): readonly string[] {
  const place = middlewares.findIndex((entry) => !isBuiltIn(entry))
  const guard = middlewares.slice(place + 1).find((entry) => GUARDS.includes(entry))
  if (place < 0 || guard === undefined) return []
  return [
    `middlewares: ${guard} comes after ${middlewares[place]}, so that file sees requests, and bodies are read, ` +
      'before they are checked. List guards first.',
  ]
}

/** Headers that browsers send only if `cors` allows them, and the layers and settings that need them. */
function narrowCors(config: Config): readonly string[] {
  const { middlewares, layers, hosted, strict, upsert, sessions, faults, noFaults } = config
  const allowed = (layers.cors?.allowedHeaders ?? DEFAULTS.cors.allowedHeaders).map((name) =>
    name.toLowerCase(),
  )
  if (!middlewares.includes('cors')) return []
  const keyed = middlewares.includes('api-key')
    ? 'api-key'
    : hosted?.variant === 'private'
      ? 'hosted'
      : undefined
  const hasAccounts = middlewares.includes('accounts')
  const signed = middlewares.find((entry) => entry === 'bearer' || entry === 'jwt' || entry === 'accounts')
  const wanted: readonly (readonly [string, string | undefined])[] = [
    ['X-API-KEY', keyed],
    ['Authorization', signed],
    // `Prefer: handling=lenient` lifts it for one request.
    ['Prefer', strict ? 'strict' : undefined],
    // `Prefer: code=503`. Everybody has faults; who sets them uses them.
    ['Prefer', faults && !noFaults && !strict ? 'a request that asks to fail' : undefined],
    // Without them nobody can tell a PUT that creates from one that replaces what others wrote.
    ['If-Match', upsert ? 'upsert' : undefined],
    ['If-None-Match', upsert ? 'upsert' : undefined],
    // Everybody has sessions; who sets their limits uses them.
    ['X-Mock-Session', sessions ? 'a session' : undefined],
    ['X-Mock-User', hasAccounts && layers.accounts?.persona ? 'accounts.persona' : undefined],
  ]
  return (
    wanted
      // To browsers, `*` means every header except Authorization.
      .filter(([header]) => !allowed.includes(header.toLowerCase()))
      .filter(
        ([header, user]) => user !== undefined && (header === 'Authorization' || !allowed.includes('*')),
      )
      .map(
        ([header, user]) =>
          `cors: browsers will not send ${header}, which ${user} needs, from pages of other origins. Add it to ` +
          'cors.allowedHeaders, or leave cors out of middlewares: without it every header is allowed.',
      )
  )
}

/** One restriction set, and another left open that defeats it. */
function halfOpen({ allowedHosts, allowedOrigins, noCors, middlewares }: Config): readonly string[] {
  if (allowedHosts && !allowedOrigins && !noCors) {
    return [
      'allowedHosts: pages of any origin can still read and change the data, since CORS is open. List the origins you trust in allowedOrigins.',
    ]
  }
  if (allowedOrigins && allowedOrigins.length > 0 && noCors && !middlewares.includes('cors')) {
    return ['allowedOrigins: with noCors on, browsers do not let those pages read responses. Remove noCors.']
  }
  return []
}

function noFolder({ static: named = [] }: Config): readonly string[] {
  // The slash makes it fail for a file of that name.
  const missing = [named].flat().filter((folder) => !existsSync(`${folder}/`))
  return missing.map(
    (folder) =>
      `static: there is no folder "${folder}", so no static files are served from it. Create it, or correct the path.`,
  )
}

function noSnapshotFolder({ snapshots: folder, source }: Config): readonly string[] {
  if (folder !== undefined && isPostgres(source)) {
    return [
      `snapshots: the database keeps them, for all servers that share it. The folder "${folder}" is not used.`,
    ]
  }
  if (folder === undefined || !existsSync(folder) || existsSync(`${folder}/`)) return []
  return [`snapshots: "${folder}" is a file, so no snapshot can be saved. Name a folder.`]
}

function remarksOnAccounts(config: Config): readonly string[] {
  return accountsOf(config) ? [...lostCookies(config), ...noAdmin(config)] : []
}

/** Browsers send no cookies to a server that allows every origin. */
function lostCookies({ middlewares, layers }: Config): readonly string[] {
  if (!middlewares.includes('cors') || !layers.accounts?.cookies) return []
  return [
    'accounts.cookies: the cors layer allows every origin, and then browsers send no cookies from pages of others. ' +
      'Leave cors out of middlewares, or serve the page from here.',
  ]
}

function noAdmin(config: Config): readonly string[] {
  if (rolesOf(config).includes('admin')) return []
  return [
    'accounts.roles: there is no "admin", and only users of that role may undo, reset, restore snapshots, set faults, ' +
      'turn the clock and see the history, sessions and requests of others. Add "admin" to accounts.roles.',
  ]
}
