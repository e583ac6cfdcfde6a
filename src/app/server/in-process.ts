import type { App } from './app.ts'
import { type Fetch, type FetchOptions, fetchFrom } from './fetch-from.ts'
import { type HandleRequest, type MountedHandler, mountedHandler } from './mounted-handler.ts'
import { OpenRequests } from './open-requests.ts'
import { serveHttp2 } from './serve-http-2.ts'

export interface ServiceHandlers {
  readonly app: App
  readonly handle: HandleRequest
  /** For the program that runs the server: past all guards. */
  readonly control: HandleRequest
}

interface InProcess {
  readonly handler: MountedHandler
  readonly fetch: Fetch
  readonly fetchControl: Fetch
  /** Lets the requests that came through these finish. */
  closeRequests(): Promise<void>
}

/**
 * The ways into a service besides a port of its own.
 * @param origin of paths without one
 * @param root the path that leads here, where hosts do not cut it off
 */
export function inProcess(
  { app, handle, control }: ServiceHandlers,
  { origin, root }: { readonly origin: string; readonly root: string },
): InProcess {
  const requests = new OpenRequests()
  const mounted = mountedHandler(app, handle, root)
  const handler: MountedHandler = (req, res, next) => {
    if (req.httpVersionMajor > 1) {
      const passOn = next && (() => next())
      void serveHttp2(req, res, (request, base) => fetchFrom(app, handler, request, base, passOn))
      return
    }
    const isOver = requests.add(res)
    const passOn = (error?: unknown) => {
      isOver()
      next?.(error)
    }
    mounted(req, res, next && passOn)
  }
  const fetchBy =
    (way: MountedHandler): Fetch =>
    (input, { base = root, ...init }: FetchOptions = {}) => {
      const isWhole = typeof input === 'object' && 'method' in input && Object.keys(init).length === 0
      const url = typeof input === 'string' ? new URL(input, origin || 'http://localhost') : input
      return fetchFrom(app, way, isWhole ? input : new Request(url, init), base)
    }
  return {
    handler,
    fetch: fetchBy(handler),
    fetchControl: fetchBy(mountedHandler(app, control, '')),
    closeRequests: () => requests.close(),
  }
}
