import { LAYER_NAMES, LAYERS, type Layer } from '../core/layers/list.ts'
import type { Feature } from './feature.ts'

/** Endpoints of layers, which serve them themselves: here, they are guarded and documented. */
export const LAYER_ENDPOINTS: readonly Feature[] = LAYER_NAMES.flatMap((name) => {
  const { endpoints }: Layer = LAYERS[name]
  const isOn: Feature['isOn'] = ({ middlewares }) => middlewares.includes(name)
  return endpoints ? [{ name, endpoints, isOn, open: () => ({ under: () => ({}) }) }] : []
})
