import type { Server } from 'node:http'

/** The first byte of a TLS handshake. */
const HANDSHAKE = 0x16

/** OpenSSL knows `GET`, `HEAD`, `POST` and `PUT`, but not the `OPTIONS` that browsers begin with. */
const PLAIN_HTTP: ReadonlySet<unknown> = new Set(['ERR_SSL_HTTP_REQUEST', 'ERR_SSL_WRONG_VERSION_NUMBER'])

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array }

/** Says which of HTTP and HTTPS a URL has to begin with. Clients only say that the connection broke. */
export function explainProtocol(isHttps: boolean): string {
  return isHttps
    ? 'A client sent HTTP to this port, which serves HTTPS: its URL has to begin with https://.'
    : 'A client sent HTTPS to this port, which serves HTTP: its URL has to begin with http://, or start with --ssl.'
}

/** Calls back whenever a client uses the other of HTTP and HTTPS. */
export function onWrongProtocol(server: Server, call: () => void): Server {
  return server.on('clientError', ({ code, rawPacket }: ClientError) => {
    if (PLAIN_HTTP.has(code) || rawPacket?.[0] === HANDSHAKE) call()
  })
}
