import { Pace } from '../work/pace.ts'
import { FaultSearch, type JsonFault } from './json-fault.ts'

const STRETCH = 1024

/** What `findJsonFault` finds, in a long text: others are served meanwhile. */
export async function searchJsonFault(text: string): Promise<JsonFault> {
  const search = new FaultSearch(text)
  const pace = new Pace()
  for (let steps = 1; ; steps++) {
    const fault = search.step()
    if (fault) return fault
    if (steps % STRETCH === 0 && pace.isDue) await pace.turn()
  }
}
