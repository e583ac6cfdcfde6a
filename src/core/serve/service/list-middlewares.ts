import type { Shared } from '../../../stores/postgres/shared.ts'
import type { Config } from '../../config/config.ts'
import { readRows } from '../../engine/read-rows.ts'
import { isLayer, LAYERS, type Layer, type LayerNeeds } from '../../layers/list.ts'
import { type AccountsWiring, accountsNeeds } from './engine-accounts.ts'
import { servedWorldOf } from './served-world.ts'
import type { Files, ListedMiddleware } from './service-parts.ts'

export interface MiddlewareNeeds extends Omit<AccountsWiring, 'logins'> {
  readonly config: Config
  /** The logins that servers of the same data share, and the secret that they sign with by default. */
  readonly shared: Shared | undefined
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
  const layerNeeds = needsOfLayers(needs)
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
    const build = async () => [await layer.build(options ?? {}, layerNeeds)]
    listed.push(present ?? { handlers: await build(), isFile: false, key })
  }
  return listed
}

function needsOfLayers(needs: MiddlewareNeeds): LayerNeeds {
  const { config, currentEngine, shared } = needs
  return {
    ...needs,
    quiet: config.quiet,
    findUsers: (most, req) => readRows((req && servedWorldOf(req)?.engine) ?? currentEngine(), 'users', most),
    accounts: () => accountsNeeds(config, { ...needs, logins: shared }),
  }
}
