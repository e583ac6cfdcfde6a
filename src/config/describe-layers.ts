import type { LayerInfo } from '../core/kernel/catalogue/service-info.ts'
import { isLayer, LAYERS, type Layer, type LayerOptions } from '../core/layers/list.ts'
import type { BaseConfig } from './config.ts'

/** The layers of the chain with their settings, except keys, tokens, passwords and secrets. */
export function describeLayers({
  middlewares,
  layers,
}: Pick<BaseConfig, 'middlewares' | 'layers'>): LayerInfo[] {
  return middlewares.map((entry) => {
    if (isLayer(entry)) {
      const { key, describe }: Layer<keyof LayerOptions> = LAYERS[entry]
      return { name: entry, kind: 'built-in', settings: describe(layers[key] ?? {}) }
    }
    // A path reveals things about the machine; the file name is enough to recognize it.
    return { name: entry.split(/[/\\]/).at(-1) ?? entry, kind: 'file', settings: {} }
  })
}
