import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** A request as sent over the wire: the path is not encoded or normalized. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })
/** Shorter than the limit of a slow test, so that it fails with what it waited for. */
export const PATIENCE_MS = 45_000

/** Sends one request to this machine and waits for the whole answer. */
export function exchange(port: number, ask: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        ...{ agent, host: '127.0.0.1', port, method: ask.method, path: ask.path, headers: headersOf(ask) },
        timeout: PATIENCE_MS,
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const headers = flat(incoming.headers)
          const bytes = Buffer.concat(chunks)
          const zipped = headers['content-encoding'] === 'gzip' && bytes.length > 0
          resolve({
            status: incoming.statusCode ?? 0,
            headers,
            body: (zipped ? gunzipSync(bytes) : bytes).toString('utf8'),
          })
        })
      },
    )
    // The server closes a connection that was idle for long; a request may just then be on its way on it.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const wasIdle = outgoing.reusedSocket && error.code === 'ECONNRESET'
      if (wasIdle) resolve(exchange(port, ask))
      else reject(error)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer to ${ask.method} ${ask.path}`)))
    outgoing.end(ask.body)
  })
}

/** The same request as a line that a person can paste into a shell. */
export function asCurl(port: number, ask: Ask): string {
  const parts = ['curl', '-sSi', '-X', ask.method]
  for (const [name, value] of Object.entries(ask.headers ?? {})) parts.push('-H', quote(`${name}: ${value}`))
  if (ask.body !== undefined) parts.push('--data-raw', quote(ask.body))
  return [...parts, quote(`http://127.0.0.1:${port}${ask.path}`)].join(' ')
}

function headersOf(ask: Ask): Record<string, string> {
  const length = ask.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(ask.body)) }
  return { ...length, ...ask.headers }
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return result
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
