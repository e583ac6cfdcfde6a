import { onTestFinished } from 'vitest'
import { type OpenedServer, open, type RunningServer, type StartOptions, start } from '../../../src/index.ts'
import { asking } from './asking.ts'

interface Asked {
  /** Sends a request, with JSON if there is a body. */
  readonly ask: ReturnType<typeof asking>
  /** All that it printed so far. */
  readonly lines: string[]
}
export type Served = RunningServer & Asked

/** A server until the test ends. */
export async function serve(options: StartOptions = {}): Promise<Served> {
  const lines: string[] = []
  const server = await start({ print: (line) => lines.push(line), ...options })
  onTestFinished(() => server.close())
  return Object.assign(server, { ask: asking(server.url), lines })
}

/** The same without a port: it is asked in this process. */
export async function openApi(options: Parameters<typeof open>[0] = {}): Promise<OpenedServer & Asked> {
  const lines: string[] = []
  const api = await open({ print: (line) => lines.push(line), ...options })
  onTestFinished(() => api.close())
  return Object.assign(api, { ask: asking(api.fetch), lines })
}
