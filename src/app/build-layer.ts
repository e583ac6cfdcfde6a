import type { RequestHandler } from 'express'
import type { ClockOf } from '../http/clock-of.ts'
import type { AccountsNeeds } from '../layers/accounts.ts'
import type { Row } from '../storage/types.ts'
import { BUILT_IN_LAYERS, type BuiltInLayer, type Config, type LayerOptions } from './config/config.ts'
import { toCamelCase } from './config/spelling.ts'
import type { Listed } from './parts.ts'

export interface LayerNeeds {
  readonly config: Config
  /** Rows of the collection that holds the users, or the first so many, as a session has them. */
  readonly findUsers: (most?: number, session?: string) => Promise<readonly Row[] | undefined>
  readonly log: (line: string) => void
  readonly clockOf: ClockOf
  /** What servers of the same data sign with, unless they are told otherwise. */
  readonly secret?: string | undefined
  /** What the accounts layer works with, as a config has it. */
  readonly accountsNeeds: (config: Config) => AccountsNeeds
}

/** Built-in layers, keyed by what they were built from. */
export type Layers = ReadonlyMap<string, RequestHandler>

/**
 * The built-in layers that a config lists. A layer is kept as long as its options stay the same: counters keep counting,
 * and a random secret stays valid.
 */
export async function buildLayers(needs: LayerNeeds, old: Layers = new Map()): Promise<Layers> {
  const layers = new Map<string, RequestHandler>()
  for (const [place, name] of needs.config.middlewares.entries()) {
    if (!isBuiltIn(name)) continue
    const key = layerKey(needs.config, place)
    layers.set(key, old.get(key) ?? (await buildLayer(name, needs)))
  }
  return layers
}

/** Identifies a layer by what it is built from; one that is listed twice is two layers. */
function layerKey({ middlewares, layers, quiet }: Config, place: number): string {
  const name = middlewares[place] ?? ''
  const sameBefore = middlewares.slice(0, place).filter((other) => other === name).length
  const options = isBuiltIn(name) ? layers[toCamelCase(name) as keyof LayerOptions] : undefined
  return JSON.stringify([name, sameBefore, quiet, options])
}

/** The handlers of an entry of `middlewares`: those of a user's file, or a layer. */
export function listedAs(
  file: readonly RequestHandler[] | undefined,
  layers: Layers,
  config: Config,
  place: number,
): Listed {
  if (file) return { handlers: file, isFile: true }
  const layer = layers.get(layerKey(config, place))
  return { handlers: layer ? [layer] : [], isFile: false }
}

export function isBuiltIn(entry: string): entry is BuiltInLayer {
  return (BUILT_IN_LAYERS as readonly string[]).includes(entry)
}

/** Loaded only if listed: the dependencies of some take longer to load than everything else. */
async function buildLayer(name: BuiltInLayer, needs: LayerNeeds): Promise<RequestHandler> {
  const { findUsers, log, config, clockOf } = needs
  const { layers, quiet } = config
  switch (name) {
    case 'cors':
      return (await import('../layers/cors.ts')).cors({ ...layers.cors, log })
    case 'delay':
      return (await import('../layers/delay.ts')).delay({ ...layers.delay, clockOf })
    case 'logger':
      return quiet
        ? passOn
        : (await import('../layers/log/logger.ts')).logger({ ...layers.logger, print: log, clockOf })
    case 'api-key':
      return (await import('../layers/api-key.ts')).apiKey({ ...layers.apiKey, log, clockOf })
    case 'bearer':
      return (await import('../layers/bearer.ts')).bearer(layers.bearer)
    case 'jwt':
      return (await import('../layers/jwt.ts')).jwt({ ...signed(layers.jwt, needs), log, findUsers, clockOf })
    case 'accounts':
      return config.hosted
        ? passOn
        : (await import('../layers/accounts.ts')).accounts(
            signed(layers.accounts, needs),
            needs.accountsNeeds(config),
          )
    case 'rate-limit':
      return (await import('../layers/rate-limit.ts')).rateLimit({ ...layers.rateLimit, clockOf })
  }
}

/** With the secret that all servers of the same data have, if no other is set: a token of one is good at all. */
function signed<T extends { secret?: string }>(options: T | undefined, { secret }: LayerNeeds) {
  const isSet = secret === undefined || process.env.JWT_SECRET !== undefined
  return isSet ? { ...options } : { secret, ...options }
}

const passOn: RequestHandler = (_req, _res, next) => next()
