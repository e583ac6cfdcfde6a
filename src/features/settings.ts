import { faultsSettings } from './faults/settings.ts'
import { hostedSettings } from './hosted/settings.ts'
import { proxySettings } from './proxy/settings.ts'
import { sessionsSettings } from './sessions/settings.ts'

/** The settings of features, by their part of docs/configuration.md. Handlers are in the other list: the config reads this one. */
export const FEATURE_SETTINGS = {
  data: {
    ...sessionsSettings,
    ...hostedSettings,
    ...proxySettings,
  },
  requests: {
    ...faultsSettings,
  },
}
