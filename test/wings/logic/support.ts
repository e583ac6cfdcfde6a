import { afterEach } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'

export interface Sent {
  readonly status: number | undefined
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server sends
  readonly body: any
}

/** A server with logic, closed after each test, and requests to it. */
export function withLogic(data: object) {
  let server: OpenedServer | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  async function serve(logic: object, options: StartOptions = {}): Promise<OpenedServer> {
    server = await open({ data: structuredClone(data), live: false, logic, ...options })
    return server
  }

  async function send(at: string, body?: unknown, headers: Record<string, string> = {}): Promise<Sent> {
    const [method = '', path = ''] = at.split(' ')
    const response = await server?.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = (await response?.text()) ?? ''
    return { status: response?.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  const get = async (path: string, headers?: Record<string, string>) =>
    (await send(`GET ${path}`, undefined, headers)).body

  return { serve, send, get }
}
