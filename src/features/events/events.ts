import type { Request, Response } from 'express'
import { endpoints, TEXT } from '../../core/kernel/catalogue/endpoint.ts'
import { SERVER_PATHS } from '../../core/kernel/http/server-paths.ts'
import type { Feed } from '../../core/kernel/util/feed.ts'
import type { Feature, Served } from '../feature.ts'
import { type HandlersOf, serveEndpoints } from '../serve-endpoints.ts'
import { emitChanges, eventFilterFor, missedChanges } from './emit-changes.ts'
import { type EventFilter, EventReader, endStream, type Missed } from './event-reader.ts'

export interface EventsOptions {
  /** Milliseconds between heartbeats, which keep proxies from closing an idle connection. @default 15000 */
  heartbeat?: number
  version?: () => number
  missed?: (version: number) => Promise<Missed>
  filterOf?: ((req: Request) => EventFilter) | undefined
}

const PATIENCE = 1024 * 1024

export const EVENT_ENDPOINTS = endpoints(
  { gives: TEXT },
  {
    getEvents: [
      `GET ${SERVER_PATHS.events}`,
      'Live requests and changes',
      { mediaType: 'text/event-stream' },
    ],
  },
)

export const eventsFeature: Feature = {
  name: 'events',
  endpoints: EVENT_ENDPOINTS,
  open: () => ({
    serves: emitChanges,
    under: () => ({ serve: (served) => serveEndpoints(EVENT_ENDPOINTS, eventsOf(served), served) }),
  }),
}

function eventsOf({ world: { engine, feed, clock }, accessOf }: Served): HandlersOf<typeof EVENT_ENDPOINTS> {
  return events(feed, {
    version: () => engine.history.version,
    missed: (version) => missedChanges(engine, version),
    filterOf: accessOf && ((req) => eventFilterFor(req, accessOf(req), engine, clock)),
  })
}

/**
 * `GET /__events`: server-sent events, `request` for each finished request, `change` for each change of the data, and
 * `service` when the description of the server has changed.
 * With `Last-Event-ID`, it starts with the changes since that version, or `gone`. `?resource=products` limits it to
 * changes of these resources.
 */
export function events(feed: Feed, options: EventsOptions = {}): HandlersOf<typeof EVENT_ENDPOINTS> {
  const { heartbeat = 15_000, version, missed, filterOf } = options

  function getEvents(req: Request, res: Response): void {
    const resources = resourcesIn(req)
    const filter = filterOf?.(req)
    if (resources) filter?.checkReadable(resources)
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    })
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    const reader = new EventReader(res, resources, filter)
    const wantsRequests = resources === undefined && filter?.includesRequests !== false
    const last = lastEventId(req)
    res.write(last === undefined && version ? `retry: 2000\nid: ${version()}\n\n` : 'retry: 2000\n\n')
    if (last !== undefined && missed) reader.resume(last, missed(last))

    const beat = setInterval(() => res.write(': alive\n\n'), heartbeat)
    const leave = feed.listen({
      onEvent(event) {
        if (res.writableLength > PATIENCE) res.destroy()
        else reader.send(event)
      },
      end: () => endStream(res),
      wantsRequests,
    })
    const cancelEnd = filter?.onEnd(() => endStream(res))
    res.once('close', () => {
      clearInterval(beat)
      leave()
      cancelEnd?.()
    })
  }

  return { getEvents }
}

/** `?resource=products`, several of them, or separated by commas; undefined for everything. */
function resourcesIn({ query }: Request): ReadonlySet<string> | undefined {
  const { resource } = query
  const names = [resource].flat().flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
  return names.length > 0 ? new Set(names) : undefined
}

/** The id that an EventSource sends when it reconnects. An unknown one counts as a version that is gone. */
function lastEventId({ headers }: Request): number | undefined {
  const id = headers['last-event-id']
  if (typeof id !== 'string' || id === '') return undefined
  return /^\d{1,15}$/.test(id) ? Number(id) : -1
}
