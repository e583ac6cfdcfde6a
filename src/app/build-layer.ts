import type { RequestHandler } from 'express'
import { delay } from '../layers/delay.ts'
import { logger } from '../layers/logger.ts'
import { readRows } from '../storage/engine/read-rows.ts'
import type { Shared } from '../storage/postgres/shared.ts'
import type { Clock } from '../util/clock.ts'
import { type BuiltInLayer, type Config, isBuiltIn, type LayerOptions } from './config/config.ts'
import { toCamelCase } from './config/spelling.ts'
import { type AccountsWiring, accountsNeeds } from './service/engine-accounts.ts'
import type { Files, ListedMiddleware } from './service/service-parts.ts'

export interface LayerNeeds extends Omit<AccountsWiring, 'logins'> {
  readonly config: Config
  readonly clock: Clock
  /** The logins that servers of the same data share, and the secret that they sign with by default. */
  readonly shared: Shared | undefined
}

/**
 * The entries of `middlewares`. A layer stays while its options do: counters go on, and a random secret stays valid as
 * long as the users are of the same source.
 */
export async function listMiddlewares(
  needs: LayerNeeds,
  files: Files,
  old: readonly ListedMiddleware[] = [],
): Promise<readonly ListedMiddleware[]> {
  const { middlewares, layers, quiet, source } = needs.config
  const listed: ListedMiddleware[] = []
  for (const [position, name] of middlewares.entries()) {
    if (!isBuiltIn(name)) {
      listed.push({ handlers: files.get(name) ?? [], isFile: true })
      continue
    }
    const sameBefore = middlewares.slice(0, position).filter((other) => other === name).length
    const options = layers[toCamelCase(name) as keyof LayerOptions]
    const users = name === 'accounts' || name === 'jwt' ? source : undefined
    const key = JSON.stringify([name, sameBefore, quiet, options, users])
    const present = old.find((other) => other.key === key)
    listed.push(present ?? { handlers: [await buildLayer(name, needs)], isFile: false, key })
  }
  return listed
}

/** Loaded only if listed: the dependencies of some take longer to load than everything else. */
async function buildLayer(name: BuiltInLayer, needs: LayerNeeds): Promise<RequestHandler> {
  const { engineOf, log, config, clockOf, clock, sessionIdOf, rewrite, shared } = needs
  const { layers, quiet } = config
  switch (name) {
    case 'cors':
      return (await import('../layers/cors.ts')).cors({ ...layers.cors, log })
    case 'delay':
      return delay({ ...layers.delay, clockOf })
    case 'logger':
      return quiet ? passOn : logger({ ...layers.logger, print: log, clockOf })
    case 'api-key':
      return (await import('../layers/api-key.ts')).apiKey({ ...layers.apiKey, log, clockOf })
    case 'bearer':
      return (await import('../layers/bearer.ts')).bearer(layers.bearer)
    case 'jwt': {
      const { jwt } = await import('../layers/jwt.ts')
      const findUsers = (most?: number, session?: string) => readRows(engineOf(session), 'users', most)
      const build = (own: object) =>
        jwt({ ...layers.jwt, ...own, log, findUsers, clockOf, sessionIdOf, rewrite })
      return signing(shared, layers.jwt?.secret, build)
    }
    case 'accounts': {
      const { accounts } = await import('../layers/accounts.ts')
      const accountNeeds = accountsNeeds(config, { ...needs, logins: shared })
      const build = (own: object) => accounts({ ...layers.accounts, ...own }, accountNeeds)
      return signing(shared, layers.accounts?.secret, build)
    }
    case 'rate-limit':
      return (await import('../layers/rate-limit.ts')).rateLimit({
        ...layers.rateLimit,
        clockOf,
        loginClock: () => clock,
        rewrite,
      })
  }
}

/**
 * A layer that signs with the secret that all servers of the same data share, if no other is set. Built again when the
 * shared secret changes, because the data was made again: old tokens end with the old data.
 */
function signing(
  shared: LayerNeeds['shared'],
  set: string | undefined,
  build: (own: { secret?: string }) => RequestHandler,
): RequestHandler {
  if (!shared || set !== undefined || process.env.JWT_SECRET !== undefined) return build({})
  let { secret } = shared
  let layer = build({ secret })
  return function signing(req, res, next) {
    if (shared.secret !== secret) {
      secret = shared.secret
      layer = build({ secret })
    }
    return layer(req, res, next)
  }
}

const passOn: RequestHandler = (_req, _res, next) => next()
