import { setting, toggle } from '../../core/layers/parts/setting.ts'
import { faultOptions } from '../fault-options.ts'

export const faultsSettings = {
  faults: setting(faultOptions(), '[Requests that fail on purpose](failures.md#rules)', {
    without: 'none',
    examples: [{ rules: [{ match: { path: '/products/*' }, rate: 0.2, status: 503 }] }],
  }),
  noFaults: toggle('No failures on purpose: neither by rules nor by `Prefer` and `_status`', false, {}),
}
