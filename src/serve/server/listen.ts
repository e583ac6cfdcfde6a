import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { originAt } from '../../config/origin-at.ts'
import { ListenError } from '../../core/kernel/catalogue/error-classes.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import type { Tls } from '../../features/tls.ts'
import { closeServers, trackConnections } from './close-servers.ts'
import { createServer, type TimeOuts } from './server.ts'
import { explainProtocol, onWrongProtocol } from './wrong-protocol.ts'

export interface ListenOptions {
  port: number
  /** `localhost` listens on 127.0.0.1 and ::1, `0.0.0.0` on every address. @default 'localhost' */
  host?: string
  tls?: Tls
  timeOuts?: TimeOuts
  /** Prints, once, that a client uses HTTPS instead of HTTP, or the reverse. */
  log?: ((line: string) => void) | undefined
  /** Milliseconds that requests in flight get to finish when the listener closes. @default 5000 */
  grace?: number
}

export interface ListeningServer {
  readonly port: number
  readonly addresses: readonly AddressInfo[]
  readonly url: string
  /** Stops accepting, lets requests in flight finish, then closes every connection. May be called again. */
  close(): Promise<void>
}

const GRACE_MS = 5000
/** Free IPv4 ports to try until one is also free for IPv6. */
const ATTEMPTS = 20
const NO_SUCH_FAMILY: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** Serves an app on a port; rejects with a ListenError when it cannot. */
export async function listen(app: RequestListener, options: ListenOptions): Promise<ListeningServer> {
  const { port, tls, grace = GRACE_MS } = options
  // To Node, an empty name means every address.
  const host = options.host || 'localhost'
  const connections = trackConnections()
  let log = options.log
  const explainOnce = () => {
    log?.(explainProtocol(tls !== undefined))
    log = undefined
  }
  const open = (address: string, at: number): Promise<Server> => {
    const server = onWrongProtocol(createServer(app, tls, options.timeOuts), explainOnce)
    return bind(connections.watch(server), address, at)
  }
  const servers =
    host.toLowerCase() === 'localhost' ? await openLocalhost(open, port) : [await open(host, port)]

  const addresses = servers.map(addressOf)
  const actualPort = addresses[0]?.port ?? 0
  let closed: Promise<void> | undefined
  return {
    port: actualPort,
    addresses,
    url: originAt(host, actualPort, tls !== undefined),
    close: () => (closed ??= closeServers(servers, connections, grace)),
  }
}

type Open = (address: string, port: number) => Promise<Server>

async function openLocalhost(open: Open, port: number, attempts = ATTEMPTS): Promise<Server[]> {
  const first = await open('127.0.0.1', port).catch(unlessMissing)
  if (first === undefined) return [await open('::1', port)]
  try {
    const second = await open('::1', addressOf(first).port).catch(unlessMissing)
    return second ? [first, second] : [first]
  } catch (error) {
    await new Promise((resolve) => first.close(resolve))
    const isTaken = error instanceof ListenError && error.code === 'EADDRINUSE'
    if (port === 0 && isTaken && attempts > 1) return openLocalhost(open, port, attempts - 1)
    throw error
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ListenError && NO_SUCH_FAMILY.has(error.code))) throw error
}

function bind(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      const code = cause.code ?? 'UNKNOWN'
      reject(new ListenError(code, port, explainCode(code, host, port), { cause }))
    }
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.off('error', fail)
      resolve(server)
    })
  })
}

function explainCode(code: string, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is already in use: stop the other program, or use another port (${alternative(port)})`
    case 'EACCES':
      return `Port ${port} needs privileges that this process does not have: use a port above 1023, such as --port 3000`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Host ${host} is unknown: check the spelling, or use --host localhost or --host 0.0.0.0`
    case 'EADDRNOTAVAIL':
      return `Host ${host} is not an address of this machine: use --host localhost or --host 0.0.0.0`
    default:
      return `Cannot listen on ${host} port ${port} (${code}): use another host or port`
  }
}

function alternative(port: number): string {
  const flag = `--port ${port < 65_535 ? port + 1 : 0}`
  return port !== ALTERNATIVE.port && hasScript(ALTERNATIVE.script)
    ? `npm run ${ALTERNATIVE.script}, or ${flag}`
    : flag
}

const ALTERNATIVE = { script: 'start:alt', port: 3001 } as const

function hasScript(name: string): boolean {
  const manifest = attempt((): { scripts?: object } => JSON.parse(readFileSync('package.json', 'utf8')))
  return Object.hasOwn(manifest?.scripts ?? {}, name)
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port')
  return address
}
