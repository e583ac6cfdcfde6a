import { type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface OpenSockets {
  /** As HTTP sees them (under TLS, the decrypted side), with the bytes that had arrived when HTTP took over. */
  readonly http: ReadonlyMap<Socket, number>
  /** As the network sees them, including those still in their TLS handshake. */
  readonly network: ReadonlySet<Socket>
  watch(server: Server): Server
}

export function trackConnections(): OpenSockets {
  const http = new Map<Socket, number>()
  const network = new Set<Socket>()
  return {
    http,
    network,
    watch(server) {
      const isTls = 'setSecureContext' in server
      const add = (socket: Socket) => {
        http.set(socket, socket.bytesRead)
        socket.once('close', () => http.delete(socket))
      }
      server.on('connection', (socket: Socket) => {
        network.add(socket)
        socket.once('close', () => network.delete(socket))
        if (!isTls) add(socket)
      })
      if (isTls) server.on('secureConnection', add)
      return server
    },
  }
}

/** Lets requests in flight finish, each the last on its connection. Those not done after `grace` ms are cut off. */
export async function closeServers(
  servers: readonly Server[],
  connections: OpenSockets,
  grace: number,
): Promise<void> {
  const closed = servers.map((server) => {
    server.prependListener('request', (_req, res: ServerResponse) => makeLast(res))
    return new Promise((resolve) => server.close(resolve))
  })
  for (const [socket, silence] of connections.http) finish(socket, silence)

  const cutOff = setTimeout(() => {
    for (const socket of connections.network) socket.destroy()
  }, grace)
  await Promise.all(closed)
  clearTimeout(cutOff)
}

function finish(socket: Socket, silence: number): void {
  const response = currentResponse(socket)
  if (response === undefined) {
    // Node's own close considers a connection that never sent anything busy.
    if (socket.bytesRead === silence) socket.destroy()
    return
  }
  makeLast(response)
  // Its headers may have promised to keep the connection.
  response.once('close', () => socket.destroySoon())
}

function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false
}

/** The response that a connection is waiting for, if any. Read from where Node itself looks when a request fails. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  return response instanceof ServerResponse ? response : undefined
}
