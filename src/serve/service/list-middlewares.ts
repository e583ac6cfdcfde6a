import { readRows } from '../../core/engine/read-rows.ts'
import { hasLogins, isLayer, LAYERS, type Layer, type LayerNeeds } from '../../core/layers/list.ts'
import type { Feature } from '../../features/feature.ts'
import type { LayerWiring } from '../../features/layer-wiring.ts'
import { servedWorldOf } from '../../features/served-world.ts'
import type { Files } from '../../source/load-parts.ts'
import type { ListedMiddleware } from './service-parts.ts'

/**
 * The entries of `middlewares`. A layer stays while its options do: counters go on, and a random secret stays valid as
 * long as the users are of the same source.
 */
export async function listMiddlewares(
  wiring: LayerWiring,
  features: readonly Feature[],
  files: Files,
  old: readonly ListedMiddleware[] = [],
): Promise<readonly ListedMiddleware[]> {
  const { middlewares, layers, quiet, source } = wiring.config
  const listed: ListedMiddleware[] = []
  for (const [position, name] of middlewares.entries()) {
    if (!isLayer(name)) {
      listed.push({ handlers: files.get(name) ?? [], isFile: true })
      continue
    }
    const layer: Layer = LAYERS[name]
    const options = layers[LAYERS[name].key]
    const sameBefore = middlewares.slice(0, position).filter((other) => other === name).length
    const users = hasLogins(name) ? source : undefined
    const key = JSON.stringify([name, sameBefore, quiet, options, users])
    const present = old.find((other) => other.key === key)
    const build = async () => {
      const given = await features.find((feature) => feature.name === name)?.layerNeeds?.(wiring)
      return [await layer.build(options ?? {}, { ...needsOfLayers(wiring), ...given })]
    }
    listed.push(present ?? { handlers: await build(), isFile: false, key })
  }
  return listed
}

function needsOfLayers({ config, currentEngine, shared, rewrite, log }: LayerWiring): LayerNeeds {
  return {
    ...{ shared, rewrite, log },
    quiet: config.quiet,
    findUsers: (most, req) => readRows((req && servedWorldOf(req)?.engine) ?? currentEngine(), 'users', most),
  }
}
