import { ConfigError } from '../catalogue/error-classes.ts'
import { isObject } from '../json/values.ts'
import type { HookAction } from '../storage/hooks.ts'
import type { Row } from '../storage/types.ts'
import { compileRoutes, type Route } from './routes.ts'
import { named } from './running.ts'

type HookFunction = (event: object) => unknown

interface ParsedResource {
  readonly computed: Readonly<Record<string, (row: Row) => unknown>>
  readonly before: Readonly<Partial<Record<HookAction, HookFunction>>>
  readonly after: Readonly<Partial<Record<HookAction, HookFunction>>>
}

export interface ParsedLogic {
  /** The file it comes from, for messages. */
  readonly name: string
  readonly routes: readonly Route[]
  readonly resources: ReadonlyMap<string, ParsedResource>
}

const PARTS = ['computed', 'before', 'after']
const ACTIONS = ['create', 'update', 'delete']

/** Reads what a file exports. Throws a one-line ConfigError. */
export function parseLogic(exported: unknown, name: string): ParsedLogic {
  try {
    if (!isObject(exported)) {
      throw new ConfigError('it has to export an object. Write export default define({ … }).')
    }
    const entries = Object.entries(exported)
    const resources = entries.filter((entry) => !isRoute(entry))
    for (const [key, value] of resources) {
      if (isObject(value) && Object.entries(value).some((entry) => isRoute(entry) || isOfResource(entry))) {
        throw new ConfigError(`${key}: logic is the default export. Write export default define({ … }).`)
      }
    }
    return {
      name,
      routes: compileRoutes(entries.filter(isRoute)).map((route) => ({
        ...route,
        handler: named({ file: name, name: `${route.method} ${route.path}` }, route.handler),
      })),
      resources: new Map(resources.map(([key, value]) => [key, parseResource(key, value, name)])),
    }
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`logic: ${name}: ${error.message}`) : error
  }
}

type Entry = readonly [key: string, value: unknown]

function isRoute([key]: Entry): boolean {
  return /\s|\//.test(key)
}

function isOfResource([, value]: Entry): boolean {
  return isObject(value) && PARTS.some((part) => isObject(value[part]))
}

function parseResource(key: string, value: unknown, file: string): ParsedResource {
  const parts = objectAt(key, value, PARTS)
  const hooksAt = (when: 'before' | 'after') => {
    const hooks = Object.entries(functionsAt<HookFunction>(`${key}.${when}`, parts[when], ACTIONS))
    return Object.fromEntries(
      hooks.map(([action, hook]) => [action, named({ file, name: `${key}.${when}.${action}` }, hook)]),
    )
  }
  return {
    computed: functionsAt(`${key}.computed`, parts.computed),
    before: hooksAt('before'),
    after: hooksAt('after'),
  }
}

function functionsAt<F>(
  key: string,
  value: unknown = {},
  names?: readonly string[],
): Readonly<Record<string, F>> {
  const parts = objectAt(key, value, names)
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part !== 'function') throw new ConfigError(`${key}.${name} has to be a function.`)
  }
  return parts as Readonly<Record<string, F>>
}

function objectAt(key: string, value: unknown, names?: readonly string[]): Readonly<Record<string, unknown>> {
  const allowed = names ? ` with ${names.join(', ')}` : ''
  if (!isObject(value)) throw new ConfigError(`${key} has to be an object${allowed}.`)
  const unknown = names && Object.keys(value).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new ConfigError(`${key}.${unknown} is unknown. Use ${names?.join(', ')}.`)
  return value
}
