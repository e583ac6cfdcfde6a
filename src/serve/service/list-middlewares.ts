import { dirname } from 'node:path'
import { readRows } from '../../core/engine/read-rows.ts'
import type { LoginStore } from '../../core/layers/accounts/logins.ts'
import { isLayer, LAYERS, type Layer, type LayerNeeds } from '../../core/layers/list.ts'
import { servedWorldOf } from '../../features/served-world.ts'
import type { Config } from '../../features/settings.ts'
import type { Files } from '../../source/load-parts.ts'
import { codeOf } from '../../stores/file/fs.ts'
import { StoredLogins } from '../../stores/file/stored-logins.ts'
import type { Shared } from '../../stores/postgres/shared.ts'
import { type AccountsWiring, accountsNeeds } from './engine-accounts.ts'
import type { ListedMiddleware } from './service-parts.ts'

export interface MiddlewareNeeds extends Omit<AccountsWiring, 'logins'> {
  readonly config: Config
  /** The logins that servers of the same data share, and the secret that they sign with by default. */
  readonly shared: Shared | undefined
  /** Where logins outlive a restart, if tokens do. */
  readonly loginFile: string | undefined
}

/**
 * The entries of `middlewares`. A layer stays while its options do: counters go on, and a random secret stays valid as
 * long as the users are of the same source.
 */
export async function listMiddlewares(
  needs: MiddlewareNeeds,
  files: Files,
  old: readonly ListedMiddleware[] = [],
): Promise<readonly ListedMiddleware[]> {
  const { middlewares, layers, quiet, source } = needs.config
  const listed: ListedMiddleware[] = []
  for (const [position, name] of middlewares.entries()) {
    if (!isLayer(name)) {
      listed.push({ handlers: files.get(name) ?? [], isFile: true })
      continue
    }
    const layer: Layer = LAYERS[name]
    const options = layers[LAYERS[name].key]
    const sameBefore = middlewares.slice(0, position).filter((other) => other === name).length
    const users = name === 'accounts' || name === 'jwt' ? source : undefined
    const key = JSON.stringify([name, sameBefore, quiet, options, users])
    const present = old.find((other) => other.key === key)
    const build = async () => {
      const logins = name === 'accounts' ? await openLogins(needs) : undefined
      return [await layer.build(options ?? {}, needsOfLayers(needs, logins))]
    }
    listed.push(present ?? { handlers: await build(), isFile: false, key })
  }
  return listed
}

/** Undefined where logins are in memory. */
async function openLogins({ config, shared, loginFile, log }: MiddlewareNeeds) {
  const secret = config.layers.accounts?.secret ?? process.env.JWT_SECRET
  if (shared || secret === undefined || loginFile === undefined) return shared
  return StoredLogins.open(loginFile).catch((error: unknown) => {
    log(`accounts: logins end with a restart: ${dirname(loginFile)} cannot be written (${codeOf(error)}).`)
    return undefined
  })
}

function needsOfLayers(needs: MiddlewareNeeds, logins: LoginStore | undefined): LayerNeeds {
  const { config, currentEngine } = needs
  return {
    ...needs,
    quiet: config.quiet,
    findUsers: (most, req) => readRows((req && servedWorldOf(req)?.engine) ?? currentEngine(), 'users', most),
    accounts: () => accountsNeeds(config, { ...needs, logins }),
  }
}
