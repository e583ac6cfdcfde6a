import type { Feature } from '../feature.ts'
import { recorder } from './recorder.ts'

/** Records each request while there are listeners: then no response is sent again without it. */
export const requestsFeature: Feature = {
  name: 'requests',
  isHosted: true,
  open: () => ({
    under: ({ base }) => ({ beforeAll: [recorder()], isQuiet: () => !base.feed.wantsRequests }),
  }),
}
