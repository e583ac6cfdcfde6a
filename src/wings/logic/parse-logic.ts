import type { HookAction } from '../../core/engine/hooks.ts'
import type { Row } from '../../core/engine/types.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { segmentsOf } from '../../core/router/target.ts'
import type { Handler } from './define.ts'
import { named } from './running.ts'

export interface Route {
  readonly method: string
  readonly path: string
  readonly segments: readonly string[]
  readonly handler: Handler
}

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
      routes: compileRoutes(entries.filter(isRoute), name),
      resources: new Map(resources.map(([key, value]) => [key, parseResource(key, value, name)])),
    }
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`logic: ${name}: ${error.message}`) : error
  }
}

export function isParameter(segment: string): boolean {
  return segment.startsWith(':')
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

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const KEY = /^([a-z]+) (\/[^\s?#]*)$/i

/** Refuses a path that is not one, that belongs to the server, or that is there twice, whatever its parameters are called. */
function compileRoutes(entries: readonly Entry[], file: string): readonly Route[] {
  const seen = new Map<string, string>()
  const routes = entries.map(([key, handler]): Route => {
    const [, method = '', path = ''] = KEY.exec(key) ?? []
    if (path === '') throw new ConfigError(`"${key}" is not a path. Write it as "POST /orders/:id/finish".`)
    if (!METHODS.includes(method))
      throw new ConfigError(`"${key}" has to begin with one of ${METHODS.join(', ')}.`)
    if (typeof handler !== 'function') throw new ConfigError(`"${key}" has to be a function.`)
    if (path.startsWith('/__')) throw new ConfigError(`"${key}": paths with /__ are the server's own.`)
    const segments = segmentsOf(path)
    checkSegments(key, segments)
    const shape = `${method} ${segments.map((part) => (isParameter(part) ? ':' : part.toLowerCase())).join('/')}`
    const other = seen.get(shape)
    if (other !== undefined)
      throw new ConfigError(`"${other}" and "${key}" are the same path. Keep one of them.`)
    seen.set(shape, key)
    return { method, path, segments, handler: named({ file, name: key }, handler as Handler) }
  })
  return routes.sort(bySpecificity)
}

function checkSegments(key: string, segments: readonly string[]): void {
  if (key === 'GET /') throw new ConfigError('"GET /" would never run: the page of the server is there.')
  if (key.includes('//') || segments.some((part) => part.includes('*') || /^:(?!\w+$)/.test(part))) {
    throw new ConfigError(`"${key}": write a part of the path as text, or as :name for any one part.`)
  }
  const parameters = segments.filter(isParameter)
  const twice = parameters.find((part, at) => parameters.indexOf(part) !== at)
  if (twice !== undefined) throw new ConfigError(`"${key}" has ${twice} twice. Rename one of them.`)
}

/** `/orders/stats` before `/orders/:id`, whatever their order in the file: text sorts before a parameter, part by part. */
function bySpecificity(a: Route, b: Route): number {
  const rank = ({ segments }: Route) => segments.map((part) => Number(isParameter(part))).join('')
  return rank(a).localeCompare(rank(b))
}
