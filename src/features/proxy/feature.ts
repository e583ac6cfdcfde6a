import type { Request } from 'express'
import { type WorldState, worldOf } from '../../core/kernel/http/world.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import type { Active, Feature, OpenFeature } from '../feature.ts'
import { serveEndpoints } from '../serve-endpoints.ts'
import { answer } from './answer.ts'
import { PROXY_ENDPOINTS, proxyHandlers } from './endpoints.ts'
import { Upstream } from './forwarding/forward.ts'
import { upstreamOptions } from './forwarding/upstream-options.ts'
import { Modes } from './modes.ts'
import { WorldProxy } from './world-proxy.ts'

interface ActiveProxy extends Active {
  readonly settings: unknown
  readonly state: WorldState<WorldProxy>
  readonly upstream: Upstream | undefined
}

/** The real API beside the data. */
export const proxyFeature: Feature = {
  name: 'proxy',
  endpoints: PROXY_ENDPOINTS,
  isOn: ({ proxy, hosted }) => proxy !== undefined && hosted === undefined,
  startsEmpty: ({ proxy }) => proxy !== undefined,
  headers: ({ proxy }) => (proxy ? [['X-Mock-Proxy', 'a choice between the data and the API']] : []),
  open: openProxy,
}

function openProxy(): OpenFeature<ActiveProxy> {
  let open: Upstream | undefined
  return {
    under(now, old) {
      const { proxy } = now.config
      const options = upstreamOptions(now.config)
      const modes = Modes.of(now.config)
      const isSame = old !== undefined && isSameJson(old.settings, proxy)
      const state = isSame ? old.state : stateOf(new WorldProxy(modes))
      if (!options) return { settings: proxy, state, upstream: undefined }
      if (!isSame) old?.upstream?.close()
      const upstream = (isSame ? old.upstream : undefined) ?? new Upstream(options)
      open = upstream
      return {
        settings: proxy,
        state,
        upstream,
        beforeRows: [answer(now, upstream, (req: Request) => worldOf(req).of(state))],
        serve: (served) =>
          serveEndpoints(PROXY_ENDPOINTS, proxyHandlers(options.target, served.world.of(state)), served),
        isQuiet: () => false,
      }
    },
    close: () => open?.close(),
  }
}

function stateOf(base: WorldProxy): WorldState<WorldProxy> {
  return { base, fork: (world) => world.fork() }
}
