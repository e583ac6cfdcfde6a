import type { Feature } from '../feature.ts'
import { ServiceWarnings } from './service-warnings.ts'

export const warningsFeature: Feature = { name: 'warnings', open: openWarnings }

function openWarnings(): ReturnType<Feature['open']> {
  let warnings: ServiceWarnings | undefined
  return {
    under: () => ({}),
    loaded(now, { file, isSame }) {
      warnings ??= new ServiceWarnings(now.log, now.features)
      warnings.checkConfig(now.config)
      return warnings.checkData(now, file, isSame)
    },
    settled: (now, { oldSchemas }) => warnings?.checkFit(now, oldSchemas),
    close: () => warnings?.close(),
  }
}
