import { accountsFeature } from './accounts/feature.ts'
import { clockFeature } from './clock/clock.ts'
import { collectionsFeature } from './collections/collections.ts'
import { describeFeature } from './describe/feature.ts'
import { eventsFeature } from './events/events.ts'
import { faultsFeature } from './faults/feature.ts'
import type { Feature } from './feature.ts'
import { growFeature } from './grow/endpoints.ts'
import { healthFeature } from './health/health-and-stats.ts'
import { historyFeature } from './history/history.ts'
import { hostedFeature } from './hosted/hosted.ts'
import { httpsFeature } from './https/feature.ts'
import { jwtFeature } from './jwt/feature.ts'
import { proxyFeature } from './proxy/feature.ts'
import { requestsFeature } from './requests/feature.ts'
import { rewriterFeature } from './rewriter/feature.ts'
import { scenariosFeature } from './scenarios/feature.ts'
import { serviceFeature } from './service/service.ts'
import { sessionsFeature } from './sessions/feature.ts'
import { snapshotsFeature } from './snapshots/snapshots.ts'
import { uploadsFeature } from './uploads/feature.ts'
import { warningsFeature } from './warnings/feature.ts'
import { watchFeature } from './watch/watch.ts'

/** THE list of features, in the order of their endpoints in the OpenAPI document. */
export const FEATURES: readonly Feature[] = [
  describeFeature,
  healthFeature,
  accountsFeature,
  jwtFeature,
  snapshotsFeature,
  sessionsFeature,
  scenariosFeature,
  clockFeature,
  faultsFeature,
  serviceFeature,
  rewriterFeature,
  eventsFeature,
  historyFeature,
  growFeature,
  collectionsFeature,
  requestsFeature,
  hostedFeature,
  proxyFeature,
  uploadsFeature,
  warningsFeature,
  watchFeature,
  httpsFeature,
]
