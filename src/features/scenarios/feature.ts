import { IN_SESSION } from '../../core/kernel/catalogue/operation-kinds.ts'
import type { Feature } from '../feature.ts'
import { mayHaveWorlds } from '../worlds.ts'
import { Scenarios } from './scenarios.ts'

/** Named beginnings of sessions, and of the base. */
export const scenariosFeature: Feature = {
  name: 'scenarios',
  isOn: (config) => config.scenarios !== undefined && mayHaveWorlds(config),
  errors: [
    { code: 'UNKNOWN_SCENARIO', kinds: IN_SESSION },
    { code: 'OTHER_SCENARIO', kinds: IN_SESSION },
  ],
  headers: () => [['X-Mock-Scenario', 'a scenario']],
  open: () => ({
    beginnings: (config) => (config.scenarios ? Scenarios.open(config) : undefined),
    under: () => ({}),
    async settled({ beginnings, engine }) {
      if (beginnings instanceof Scenarios) await beginnings.serveBy(engine)
    },
  }),
}
