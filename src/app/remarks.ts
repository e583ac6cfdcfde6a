import { existsSync } from 'node:fs'
import { isBuiltIn } from './build-layer.ts'
import type { BuiltInLayer, Config, LayerOptions } from './config.ts'

/** What a config says that works, but is hardly meant: one line each, with what to do. */
export function remarksOn(config: Config): readonly string[] {
  return [
    ...unusedOptions(config),
    ...twoTokens(config),
    ...lateLayers(config),
    ...lateGuards(config),
    ...noFolder(config),
    ...noSnapshotFolder(config),
  ]
}

/** Says remarks, each once for as long as it holds. */
export class Remarks {
  readonly #log: (line: string) => void
  readonly #said = new Map<string, readonly string[]>()

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  /** All that is to be said about something now. */
  say(about: string, remarks: readonly string[]): void {
    const known = this.#said.get(about) ?? []
    for (const remark of remarks) if (!known.includes(remark)) this.#log(remark)
    this.#said.set(about, remarks)
  }
}

const LAYER_OF: Readonly<Record<keyof LayerOptions, BuiltInLayer>> = {
  cors: 'cors',
  delay: 'delay',
  logger: 'logger',
  apiKey: 'api-key',
  bearer: 'bearer',
  jwt: 'jwt',
  rateLimit: 'rate-limit',
}

const GUARDS = ['rate-limit', 'api-key', 'bearer', 'jwt']

function unusedOptions({ layers, middlewares }: Config): readonly string[] {
  return Object.entries(LAYER_OF)
    .filter(([key, layer]) => Object.hasOwn(layers, key) && !middlewares.includes(layer))
    .map(([key, layer]) => `${key}: the layer is off. Add "${layer}" to middlewares to switch it on.`)
}

function twoTokens({ layers, middlewares }: Config): readonly string[] {
  const isClash = middlewares.includes('bearer') && middlewares.includes('jwt')
  if (!isClash || layers.bearer?.publicRoutes !== undefined) return []
  return [
    'middlewares: bearer and jwt both read the header Authorization, which holds one token, so no write passes ' +
      'both. Keep one of them, or name in bearer.publicRoutes the paths that jwt is to guard.',
  ]
}

function lateLayers({ middlewares }: Config): readonly string[] {
  const guard = middlewares.find((entry) => GUARDS.includes(entry))
  if (guard === undefined) return []
  const isLate = (layer: BuiltInLayer) => middlewares.indexOf(layer) > middlewares.indexOf(guard)
  return [
    ...(isLate('cors')
      ? [`middlewares: cors comes after ${guard}, so browsers cannot read what that refuses. Put cors first.`]
      : []),
    ...(isLate('logger')
      ? [
          `middlewares: logger comes after ${guard}, so what that refuses is not logged. Put logger before it.`,
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

function noFolder({ static: folder }: Config): readonly string[] {
  // With the slash, a file of that name is no folder.
  if (folder === undefined || existsSync(`${folder}/`)) return []
  return [`static: there is no folder "${folder}", so no files come from it. Create it, or correct the path.`]
}

function noSnapshotFolder({ snapshots: folder }: Config): readonly string[] {
  if (folder === undefined || !existsSync(folder) || existsSync(`${folder}/`)) return []
  return [`snapshots: "${folder}" is a file, so no snapshot can be saved. Name a folder.`]
}
