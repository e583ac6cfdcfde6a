import type { Request } from 'express'
import { hasField } from '../../core/engine/data/fields.ts'
import type { FaultSettings } from '../../core/kernel/catalogue/faults-info.ts'
import { DATA_OPERATIONS } from '../../core/kernel/catalogue/operation-kinds.ts'
import type { RewriteUrl } from '../../core/kernel/http/request-url.ts'
import type { WorldState } from '../../core/kernel/http/world.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import type { Active, Feature, OpenFeature } from '../feature.ts'
import { serveEndpoints } from '../serve-endpoints.ts'
import { servedWorldOf } from '../served-world.ts'
import { parseSettings } from '../settings.ts'
import { Hangs } from './broken-connection.ts'
import { FAULT_ENDPOINTS, faultRules } from './endpoints.ts'
import { FaultRules } from './fault-rules.ts'
import { faults } from './faults.ts'

/** Rules last, with what was changed while the server ran, until the config has others. */
interface ActiveFaults extends Active {
  readonly settings: FaultSettings | undefined
  readonly rules: WorldState<FaultRules>
}

export const faultsFeature: Feature = {
  name: 'faults',
  endpoints: FAULT_ENDPOINTS,
  isOn: ({ noFaults }) => !noFaults,
  isHosted: true,
  errors: [{ code: 'SIMULATED', kinds: [...DATA_OPERATIONS, 'handler'] }],
  parameters: ['_status'],
  // `Prefer: code=503`. Faults are always on; rules are set where they are used.
  headers: ({ faults }) => (faults ? [['Prefer', 'a request that asks to fail']] : []),
  *warnings({ faults }) {
    const count = faults?.rules?.filter(({ on = true }) => on).length ?? 0
    if (count === 0) return
    const rules = count === 1 ? 'a rule makes' : `${count} rules make`
    yield `faults: ${rules} requests fail on purpose. Start with --no-faults to serve without.`
  },
  open: openFaults,
}

function openFaults(): OpenFeature<ActiveFaults> {
  const hangs = new Hangs()
  return {
    under({ config, base, rewrite }, old) {
      const settings = base.beginning?.faults ?? config.faults
      const rules = old && isSameJson(old.settings, settings) ? old.rules : rulesOf(settings)
      const baseRules = base.of(rules)
      base.onReset(() => baseRules.reset())
      return {
        settings,
        rules,
        beforeGuards: [faults({ rules, hangs, isField: statusField(rewrite) })],
        serve: (served) => {
          const parse = (sent: unknown) => parseSettings({ faults: sent }).faults ?? {}
          return serveEndpoints(FAULT_ENDPOINTS, faultRules({ rules: served.world.of(rules), parse }), served)
        },
        isQuiet: () => baseRules.active.length === 0,
      }
    },
    close: () => hangs.close(),
  }
}

function rulesOf(settings: FaultSettings | undefined): WorldState<FaultRules> {
  return {
    base: new FaultRules(settings),
    fork(base, world) {
      const { beginning } = world
      const rules = beginning?.faults ? new FaultRules(beginning.faults) : base.copy()
      world.onReset(() => rules.reset())
      return rules
    },
  }
}

/** Whether `_status` is a field of the data that a request reads: then it is a filter, and no failure is requested. */
function statusField(rewrite: RewriteUrl): (req: Request) => Promise<boolean> {
  return async (req) => {
    const [path = ''] = rewrite(req.originalUrl).split('?', 1)
    const { database } = servedWorldOf(req)?.engine ?? {}
    const tables = path.split('/').flatMap((name) => database?.table(name) ?? [])
    return (await Promise.all(tables.map((table) => hasField(table, '_status')))).includes(true)
  }
}
