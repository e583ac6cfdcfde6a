import type { WorldState } from '../../core/kernel/http/world.ts'
import type { Feature } from '../feature.ts'
import { serveEndpoints } from '../serve-endpoints.ts'
import { REQUEST_ENDPOINTS, requestsOf, tokenFirst } from './endpoints.ts'
import { RequestRecorder } from './recorder.ts'
import { LogRoom, RequestLog } from './request-log.ts'

/** The last requests of each world. While somebody listens to all of them, no response is sent again without it. */
export const requestsFeature: Feature = {
  name: 'requests',
  endpoints: REQUEST_ENDPOINTS,
  open() {
    const room = new LogRoom()
    const logs: WorldState<RequestLog> = { base: new RequestLog(room), fork: () => new RequestLog(room) }
    const recorder = new RequestRecorder(logs)
    return {
      under({ base, config, isFake }) {
        if (isFake) return {}
        return {
          beforeAll: [recorder.handler],
          replayed: (req, sent) => recorder.replayed(req, sent, base.clock.now()),
          isQuiet: () => !base.feed.wantsRequests,
          beforeData: config.middlewares.includes('jwt') ? [tokenFirst] : [],
          serve: (served) => serveEndpoints(REQUEST_ENDPOINTS, requestsOf(served.world.of(logs)), served),
        }
      },
    }
  },
}
