import express, { type RequestHandler } from 'express'
import type { Feed } from '../feed.ts'
import type { RewriteRules } from '../layers/rewriter.ts'
import { type RestRouter, router } from '../router/router.ts'
import type { Store } from '../storage/store.ts'
import type { Config } from './config.ts'
import { loadFiles, loadRules, type Renewal } from './load-parts.ts'
import { type Keep, mount, type Parts } from './mount.ts'
import { openData, reloadData } from './open-data.ts'
import { remarksOn } from './remarks.ts'

export interface ServiceOptions {
  /** Served instead of the config's source. */
  readonly data?: object | undefined
  readonly feed: Feed
  readonly log: (line: string) => void
  /** Sees every store before it serves. */
  readonly onStore: (store: Store) => void
}

/** What a config asks for, loaded and served. It becomes another while requests run. */
export interface Service {
  readonly config: Config
  readonly store: Store
  readonly router: RestRouter
  readonly rules: RewriteRules
  /** Passes each request to what is served at that moment. */
  readonly handler: RequestHandler
  /** Takes over the data that the source holds now; false when there is nothing new. */
  reloadData(): Promise<boolean>
  /** Serves another config, or the same with files read anew. Requests under way finish with what they began. */
  renew(config: Config, renewal: Renewal): Promise<void>
}

/** Replaced as a whole and never changed. */
interface Generation extends Parts {
  /** The built-in layers by what they were built from. */
  readonly layers: ReadonlyMap<string, RequestHandler>
  readonly chain: RequestHandler
}

/** Loads what a config names and makes it ready to serve. */
export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  const start = performance.now()
  // A login layer outlives the store that it was built with.
  let users: () => ReturnType<Store['rows']> = () => undefined
  const shared = {
    feed: options.feed,
    log: options.log,
    uptime: () => Math.round(performance.now() - start) / 1000,
    findUsers: () => users(),
  }
  let now = await load(config)

  async function load(next: Config, old?: Generation, renewal: Renewal = NOTHING): Promise<Generation> {
    const isSame = old !== undefined && isSameData(old.config, next)
    const store = isSame ? old.store : await openData(next, options.data, options.log)
    if (!isSame) options.onStore(store)
    users = () => store.rows('users')
    const isSameRouter = isSame && next.cascade === old.config.cascade
    const layers = new Map<string, RequestHandler>()
    const parts: Parts = {
      ...shared,
      config: next,
      store,
      router: isSameRouter ? old.router : router(store, { cascade: next.cascade }),
      rules: await loadRules(next, old, renewal),
      files: await loadFiles(next, old, renewal),
      keep: keepFrom(old?.layers, layers),
    }
    const chain = express.Router().use(...mount(parts))
    const known = old ? remarksOn(old.config) : []
    for (const remark of remarksOn(next)) if (!known.includes(remark)) options.log(remark)
    return { ...parts, layers, chain }
  }

  return {
    get config() {
      return now.config
    },
    get store() {
      return now.store
    },
    get router() {
      return now.router
    },
    get rules() {
      return now.rules
    },
    handler: (req, res, next) => now.chain(req, res, next),
    async reloadData() {
      const { source, hosted } = now.config
      if (source === undefined || hosted || options.data) return false
      return reloadData(now.store, source)
    },
    async renew(next, renewal) {
      try {
        now = await load(next, now, renewal)
      } finally {
        users = () => now.store.rows('users')
      }
    },
  }
}

const NOTHING: Renewal = { changed: new Set(), onFault: () => {} }

function isSameData(a: Config, b: Config): boolean {
  return (
    a.source === b.source &&
    a.id === b.id &&
    a.foreignKeySuffix === b.foreignKeySuffix &&
    (a.hosted === undefined) === (b.hosted === undefined)
  )
}

function keepFrom(
  old: ReadonlyMap<string, RequestHandler> | undefined,
  layers: Map<string, RequestHandler>,
): Keep {
  return (key, make) => {
    const layer = old?.get(key) ?? make()
    layers.set(key, layer)
    return layer
  }
}
