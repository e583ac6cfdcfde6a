import type { Request } from 'express'

/** Paths of the server's own endpoints that layers have to recognize. */
export const SERVER_PATHS = {
  service: '/__service',
  events: '/__events',
  schema: '/__schema',
  schemaOf: '/__schema/{resource}',
  openApi: '/__openapi',
  openApiJson: '/__openapi.json',
  clock: '/__clock',
  advance: '/__clock/advance',
  faults: '/__faults',
  fault: '/__faults/{id}',
  grow: '/__grow',
} as const

/** Matches URLs with one of these paths, with or without a slash at the end and a query. An `{id}` is a number. */
export function pathPattern(paths: readonly string[], flags?: 'i'): RegExp {
  const written = paths.map((path) =>
    path
      .replace('.', '\\.')
      .replace('{id}', '\\d{1,9}')
      .replace(/\{\w+\}/, '[^/?]+'),
  )
  return new RegExp(`^(?:${written.join('|')})/?(?:\\?|$)`, flags)
}

const { clock, advance, faults, fault } = SERVER_PATHS
/** Exactly as written: what another parser could read as another path does not match. */
const CONTROLS = pathPattern([clock, advance, faults, fault])

const GROW = pathPattern([SERVER_PATHS.grow])

/** Whether a request adds rows like those that are there. */
export function isGrow({ method, originalUrl }: Request): boolean {
  return method === 'POST' && GROW.test(originalUrl)
}

/** Whether a request sets the clock or faults. Never limited, and open to tokens expired by that clock: no lockout. */
export function isControl(req: Request): boolean {
  return req.originalUrl.startsWith('/__') && CONTROLS.test(req.originalUrl)
}
