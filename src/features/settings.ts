import { faultsSettings } from './faults/settings.ts'

/** The settings of features, by their part of docs/configuration.md. Handlers are in the other list: the config reads this one. */
export const FEATURE_SETTINGS = {
  requests: {
    ...faultsSettings,
  },
}
