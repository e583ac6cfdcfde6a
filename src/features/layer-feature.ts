import { LAYERS, type Layer, type LayerName } from '../core/layers/list.ts'
import type { Feature } from './feature.ts'

/** A layer with endpoints, which it serves itself: here, they are guarded and documented. */
export function layerFeature(name: LayerName): Feature {
  const { endpoints = [] }: Layer = LAYERS[name]
  const isOn: Feature['isOn'] = ({ middlewares }) => middlewares.includes(name)
  return { name, endpoints, isOn, open: () => ({ under: () => ({}) }) }
}
