import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Handle = (req: IncomingMessage, res: ServerResponse) => void

export interface Api {
  readonly url: string
  /** Requests so far, as they came. */
  readonly seen: IncomingMessage[]
  close(): Promise<void>
}

/** Another server, in place of a real API, until the test ends. */
export async function openApi(handle: Handle, host?: string): Promise<Api> {
  const api = await closeApi(handle, host)
  onTestFinished(api.close)
  return api
}

/** The same, to be closed by the test. */
export async function closeApi(handle: Handle, host = '127.0.0.1'): Promise<Api> {
  const seen: IncomingMessage[] = []
  const server = createServer((req, res) => {
    seen.push(req)
    handle(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, seen, close }
}

/** Answers with JSON. */
export function json(
  res: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly isCut: boolean
}

/** A request as it is written: no path is normalized, no body decoded. */
export function send(
  url: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = []
      const done = (isCut: boolean) =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks), isCut })
      res
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => done(false))
        .on('error', () => done(true))
    })
    sent.on('error', reject).end(body)
  })
}
