import { onTestFinished } from 'vitest'
import { callers } from '../../../src/core/kernel/http/request-context.ts'
import { type StartOptions, start } from '../../../src/index.ts'
import { type Answer, exchange } from './exchange.ts'

/** Who may ask: by the header that says so. */
export const VIEWERS = {
  nobody: undefined,
  stranger: '2:user',
  owner: '1:user',
  admin: '9:admin',
} as const

export type ViewerName = keyof typeof VIEWERS

/** Tells a server who asks without a login, as `accounts` does with one: `X-Viewer: 1:user`. */
const viewer: Extract<NonNullable<StartOptions['middlewares']>[number], (...all: never[]) => unknown> = (
  req,
  _res,
  next,
) => {
  const [id, role] = String(req.headers['x-viewer'] ?? '').split(':')
  if (id && role) callers.set(req, { id: /^\d+$/.test(id) ? Number(id) : id, role })
  next()
}

export interface Guarded {
  readonly url: string
  readonly port: number
  readonly server: Awaited<ReturnType<typeof start>>
  ask(
    who: ViewerName | `${number}:${string}`,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

/**
 * A server that knows who asks, until the test ends, or what `end` waits for. With `accounts: { persona: true }` it is the
 * layer itself that knows: users are called `user-1`.
 */
export async function serveViewers(options: StartOptions, end = onTestFinished): Promise<Guarded> {
  const server = await start({
    port: 0,
    quiet: true,
    persist: false,
    live: false,
    // Rules about users need the layer; without them it would bring its own.
    middlewares: options.resources ? ['accounts', viewer] : [viewer],
    ...options,
  })
  end(async () => {
    await server.close()
  })
  const whoIs = (says: string) =>
    options.accounts?.persona ? { 'x-mock-user': `user-${says.split(':')[0]}` } : { 'x-viewer': says }
  return {
    url: server.url,
    port: server.port,
    server,
    ask(who, method, path, body, headers) {
      const says = who in VIEWERS ? VIEWERS[who as ViewerName] : who
      return exchange(server.port, {
        method,
        path,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(says !== undefined && whoIs(says)),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    },
  }
}
