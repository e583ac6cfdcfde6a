import { ServerResponse } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Engine } from '../../../core/engine/engine.ts'
import { foreignKey } from '../../../core/engine/relations/relations.ts'
import { enterWorld, type World, worldOf } from '../../../core/kernel/http/world.ts'
import { routerSettings } from '../../../core/router/context.ts'
import { routerOf } from '../../../core/router/router.ts'
import { openShapes } from '../../../wings/shapes/open-shapes.ts'
import type { Generation } from '../../feature.ts'
import { shapeOf } from './envelope.ts'
import type { RecordedCollection } from './recording.ts'
import type { RecordedRoute, Spot } from './routes.ts'

/** The host of requests that only find out what rows give. */
const NOBODY = 'restable.invalid'

export interface Asked {
  readonly spot: Spot
  readonly route: RecordedRoute
  readonly collection: RecordedCollection | undefined
}

/** Answers of recorded routes from the rows: as the API's look, from a router of their own. */
export class LocalAnswers {
  readonly #now: Generation
  readonly #routers = new WeakMap<Engine, WeakMap<RecordedRoute, RequestHandler>>()

  constructor(now: Generation) {
    this.#now = now
  }

  /** Sends the response. */
  serve(engine: Engine, asked: Asked, req: Request, res: Response): unknown {
    req.url = localUrl(engine, asked, req.url)
    return this.#routerFor(engine, asked.route)(req, res, () => {})
  }

  /** The body that a GET of this URL gets from the rows; undefined without JSON and status 200. */
  probe(engine: Engine, asked: Asked, url: string, like: Request, res: Response): Promise<unknown> {
    return new Promise((resolve) => {
      const req = requestLike(like, localUrl(engine, asked, url), url)
      const out = responseLike(res, req, (status, text) => {
        try {
          resolve(status === 200 ? JSON.parse(text) : undefined)
        } catch {
          resolve(undefined)
        }
      })
      enterWorld(req, isWorld(worldOf(like)) ? worldOf(like) : undefined)
      this.#routerFor(engine, asked.route)(req, out, () => resolve(undefined))
    })
  }

  #routerFor(engine: Engine, route: RecordedRoute): RequestHandler {
    const routers = this.#routers.get(engine) ?? new WeakMap<RecordedRoute, RequestHandler>()
    this.#routers.set(engine, routers)
    const router = routers.get(route) ?? this.#open(engine, route)
    routers.set(route, router)
    return router
  }

  #open(engine: Engine, route: RecordedRoute): RequestHandler {
    const { config, accessOf, causeOf, sealOf, log } = this.#now
    const { shape = config.shape, ...own } = config.resources?.[route.collection] ?? {}
    // What the config says wins.
    const recorded = shape ?? (config.wrap === undefined ? shapeOf(route) : undefined)
    const resources = {
      ...config.resources,
      [route.collection]: { ...own, ...(recorded && { shape: recorded }) },
    }
    const shapes = openShapes({ ...config, resources })
    return routerOf(engine, { ...routerSettings(config), shapes, accessOf, causeOf, sealOf, log })
  }
}

/** The URL of the data that gives what a URL of the API does. */
function localUrl(engine: Engine, { spot, route, collection }: Asked, url: string): string {
  const mark = url.indexOf('?')
  const query = mark === -1 ? '' : url.slice(mark + 1)
  const { parent, id } = spot
  const name = encodeURIComponent(route.collection)
  const hasParent = parent !== undefined && engine.kindOf(parent.name) === 'collection'
  const above = hasParent ? `/${encodeURIComponent(parent.name)}/${encodeURIComponent(parent.id)}` : ''
  const path = `${above}/${name}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  const shown = id === undefined ? route.listFields : route.itemFields
  const hidden = shown && collection ? collection.fields.filter((field) => !shown.includes(field)) : []
  const parts = [
    ...(query === '' ? [] : [query]),
    ...(parent && !hasParent && id === undefined
      ? [`${foreignKey(parent.name, engine.naming)}=${encodeURIComponent(parent.id)}`]
      : []),
    ...(hidden.length > 0 && !/(?:^|&)_(?:fields|omit)=/.test(query)
      ? [`_omit=${hidden.map(encodeURIComponent).join(',')}`]
      : []),
  ]
  return `${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
}

function isWorld(world: World): boolean {
  return world.base !== undefined
}

function requestLike(like: Request, url: string, originalUrl: string): Request {
  const own = { method: 'GET', url, originalUrl, baseUrl: '', params: {}, headers: { host: NOBODY } }
  return Object.defineProperties(
    Object.create(like),
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => [
        name,
        { value, writable: true, enumerable: true, configurable: true },
      ]),
    ),
  )
}

/** A response that nobody gets. */
function responseLike(like: Response, req: Request, done: (status: number, text: string) => void): Response {
  const res = Object.setPrototypeOf(new ServerResponse(req), Object.getPrototypeOf(like))
  const chunks: Buffer[] = []
  const take = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  return Object.assign(res, {
    req,
    locals: Object.create(null),
    write(chunk: unknown) {
      take(chunk)
      return true
    },
    end(chunk: unknown) {
      take(chunk)
      done(res.statusCode, Buffer.concat(chunks).toString('utf8'))
      return res
    },
  })
}

/** Whether a text is a URL of this server, as a probe has it. */
export function isProbed(text: string): boolean {
  return text.startsWith(`http://${NOBODY}/`) || text.startsWith(`https://${NOBODY}/`)
}
