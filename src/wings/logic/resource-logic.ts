import type { WriteOptions } from '../../core/engine/change.ts'
import type { Hooks } from '../../core/engine/hooks.ts'
import type { Computed } from '../../core/engine/resource-rules.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { copyOf } from './open-db.ts'
import type { ParsedLogic } from './parse-logic.ts'
import type { Client, Runner } from './runner.ts'
import { stackOf } from './running.ts'

/** The hooks of a logic file; undefined if it has none. */
export function logicHooks({ resources, name }: ParsedLogic, runner: Runner): Hooks | undefined {
  const isHooked = [...resources.values()].some(
    ({ before, after }) => Object.keys({ ...before, ...after }).length > 0,
  )
  if (!isHooked) return undefined
  return {
    has: (when, resource, action) => resources.get(resource)?.[when][action] !== undefined,

    async before({ resource, action, row, old }, inside, options) {
      const hook = resources.get(resource)?.before[action]
      if (!hook) return row
      // A copy: a hook may change it in place as well as return another.
      const own = copyOf(row)
      const called = `${name}: ${resource}.before.${action}`
      const changed = await runner.runIn(inside, clientOf(options), (tools) =>
        hook({ ...tools, row: own, ...(old && { old: copyOf(old) }) }),
      )
      if (action === 'delete' || changed === undefined || changed === null) return own
      if (!isObject(changed)) throw new TypeError(`${called} has to return a row.`)
      return copyOf(changed)
    },

    async after(events, options) {
      const client = clientOf(options)
      for (const { resource, action, row, old } of events) {
        const hook = resources.get(resource)?.after[action]
        if (!hook) continue
        const event = { row: copyOf(row), ...(old && { old: copyOf(old) }) }
        const called = `${name}: ${resource}.after.${action}`
        await runner
          .run(client, (tools) => hook({ ...tools, ...event }))
          .catch((error: unknown) => runner.report(called, error))
      }
    },
  }
}

/** The computed fields of each resource, as JSON. A function that throws leaves its field out, and is reported once. */
export function computedIn(
  { resources, name }: ParsedLogic,
  report: (line: string) => void,
): ReadonlyMap<string, Computed> {
  const computed = new Map<string, Computed>()
  for (const [resource, { computed: functions }] of resources) {
    const fields = Object.entries(functions).map(([field, compute]) => {
      let isReported = false
      const safely: Computed[string] = (row) => {
        try {
          const value = compute(row)
          if (value instanceof Promise) throw new TypeError('a computed field cannot wait for anything')
          return copyOf(value)
        } catch (error) {
          const why = `${name}: ${resource}.computed.${field} failed, and is left out`
          if (!isReported) report(`${why}: ${stackOf(error)}`)
          isReported = true
          return undefined
        }
      }
      return [field, safely] as const
    })
    if (fields.length > 0) computed.set(resource, Object.fromEntries(fields))
  }
  return computed
}

/** Whose hooks run for a write: one more step away from the request. */
function clientOf({ by, access, meta }: WriteOptions): Client {
  const client: Client = isClient(by) ? by : { depth: 0 }
  return { ...client, access: access ?? client.access, meta: meta ?? client.meta, depth: client.depth + 1 }
}

function isClient(by: unknown): by is Client {
  return isObject(by) && typeof by.depth === 'number'
}
