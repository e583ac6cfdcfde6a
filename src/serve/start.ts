import { featuresOn } from '../features/feature.ts'
import { FEATURES } from '../features/list.ts'
import type { StartOptions } from '../features/start-options.ts'
import type { Certificate } from '../features/tls.ts'
import { openWith } from './open.ts'
import type { OpenedServer } from './opened-server.ts'
import { listen } from './server/listen.ts'

interface Listening {
  /** `http://localhost:3000` */
  readonly url: string
  readonly port: number
  /** With HTTPS: the certificate's thumbprints, for clients to compare. */
  readonly thumbprints?: Certificate['thumbprints']
}

export interface RunningServer extends OpenedServer, Listening {}

/**
 * Starts a server, by default on a free port and silently, which suits tests.
 *
 * @example
 * const server = await start({ data: { posts: [] } })
 * await fetch(`${server.url}/posts`)
 * await server.close()
 */
export function start(options: StartOptions = {}): Promise<RunningServer> {
  return openWith<Listening>(options, async (app, config) => {
    const { port, host, quiet } = config
    const encrypting = featuresOn(FEATURES, config).find(({ tls }) => tls)
    const tls = await encrypting?.tls?.(config)
    const listener = await listen(app, {
      port,
      host,
      log: quiet ? undefined : options.print,
      ...(tls && { tls }),
    })
    return {
      members: {
        url: listener.url,
        port: listener.port,
        ...(tls && { thumbprints: tls.thumbprints }),
      },
      origin: listener.url,
      closeDoor: () => listener.close(),
    }
  })
}
