import { layerFeature } from '../layer-feature.ts'

export const jwtFeature = layerFeature('jwt')
