import type { Request } from 'express'
import { recordingFile } from '../../config/recording-file.ts'
import { BODY_WRITES, DATA_OPERATIONS } from '../../core/kernel/catalogue/operation-kinds.ts'
import { type WorldState, worldOf } from '../../core/kernel/http/world.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import type { Active, Feature, Generation, OpenFeature } from '../feature.ts'
import { serveEndpoints } from '../serve-endpoints.ts'
import { examplesOf } from '../settings.ts'
import { answer } from './answer.ts'
import { PROXY_ENDPOINTS, proxyHandlers } from './endpoints.ts'
import { Upstream } from './forwarding/forward.ts'
import { upstreamOptions } from './forwarding/upstream-options.ts'
import { Modes } from './modes.ts'
import { checkRedacted } from './recorder/cleaner.ts'
import { Recording } from './recorder/recording.ts'
import { WorldProxy } from './world-proxy.ts'

interface ActiveProxy extends Active {
  readonly settings: unknown
  readonly state: WorldState<WorldProxy>
  readonly upstream: Upstream | undefined
}

/** The real API beside the data. What was recorded of it is served without it, too. */
export const proxyFeature: Feature = {
  name: 'proxy',
  endpoints: PROXY_ENDPOINTS,
  isOn: (config) => examplesOf(config) === undefined,
  isDescribed: (config) => config.proxy !== undefined && examplesOf(config) === undefined,
  errors: [
    { code: 'UPSTREAM_UNREACHABLE', kinds: DATA_OPERATIONS },
    { code: 'UPSTREAM_TIMEOUT', kinds: DATA_OPERATIONS },
    { code: 'PROXY_LOOP', kinds: DATA_OPERATIONS },
    { code: 'REDACTED', kinds: BODY_WRITES },
  ],
  startsEmpty: ({ proxy }) => proxy !== undefined,
  headers: ({ proxy }) => (proxy ? [['X-Mock-Proxy', 'a choice between the data and the API']] : []),
  open: openProxy,
}

function openProxy(): OpenFeature<ActiveProxy> {
  let open: Upstream | undefined
  return {
    under(now, old) {
      const { proxy: settings } = now.config
      const options = upstreamOptions(now.config)
      checkRedacted(now.config)
      const isSame = old !== undefined && isSameJson(old.settings, settings)
      const modes = Modes.of(now.config)
      const state = isSame ? old.state : stateOf(new WorldProxy(modes, recordingOf(now)))
      if (!isSame) old?.upstream?.close()
      const upstream = isSame ? old.upstream : options && new Upstream(options)
      open = upstream
      const isUsed = upstream !== undefined || !state.base.recording.isEmpty
      if (!isUsed) return { settings, state, upstream }
      return {
        ...{ settings, state, upstream },
        beforeRows: [answer(now, upstream, (req: Request) => worldOf(req).of(state))],
        ...(options && {
          serve: (served) =>
            serveEndpoints(PROXY_ENDPOINTS, proxyHandlers(options.target, served.world.of(state)), served),
        }),
        isQuiet: () => false,
      }
    },
    close: () => open?.close(),
  }
}

/** Where the data is in no file, nor is what was recorded. */
function recordingOf({ config, configFile }: Generation): Recording {
  const { source, persist } = config
  return Recording.open(
    source === undefined ? undefined : recordingFile(configFile),
    persist,
    config.proxy?.redact,
  )
}

function stateOf(base: WorldProxy): WorldState<WorldProxy> {
  return { base, fork: (world) => world.fork() }
}
