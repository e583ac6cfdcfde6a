import { effect, signal } from '@preact/signals'
import type { FaultsInfo } from '../../core/kernel/catalogue/faults-info.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { ownFailure } from './outcomes.ts'
import { isOk, send } from './send.ts'

export const FAULTS = '/__faults'

/** How many rules are on, as far as this page knows. */
export const rulesOn = signal(0)

/** The rule that made the last request of this page fail. */
export const ownFault = signal<number | undefined>(undefined)

export function isFaults(data: unknown): data is FaultsInfo {
  return isObject(data) && Array.isArray(data.rules) && Array.isArray(data.decisions)
}

/** Learns which rules are on, and which of them a failed request of this page met. */
export async function loadFaults(): Promise<void> {
  const failed = ownFailure.peek()
  const { data } = await send('GET', FAULTS, { isRaw: true })
  readFaults(data)
  if (!isFaults(data) || failed === undefined || failed !== ownFailure.peek()) return
  const met = data.decisions.findLast(
    ({ fired, method, url }) => fired && method === failed.method && url === failed.path,
  )
  ownFault.value = data.rules.find(({ id, on }) => on && id === met?.rule)?.id
}

export function readFaults(data: unknown): void {
  rulesOn.value = isFaults(data) ? data.rules.filter(({ on }) => on).length : 0
  if (rulesOn.value === 0) ownFault.value = undefined
}

/** Switches a rule off. */
export async function switchOff(rule: number): Promise<boolean> {
  const response = await send('PATCH', `${FAULTS}/${rule}`, { body: '{"on":false}' })
  if (isOk(response)) ownFault.value = undefined
  readFaults(response.data)
  return isOk(response)
}

effect(() => {
  if (ownFailure.value) void loadFaults()
  else ownFault.value = undefined
})
