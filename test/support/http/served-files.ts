import { onTestFinished } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'
import { json } from './serving.ts'

export async function serve(source: StartOptions['source'], options: StartOptions = {}) {
  const lines: string[] = []
  const api = await open({ source, print: (line) => lines.push(line), ...options })
  onTestFinished(() => api.close())
  return { api, lines, db: async () => (await api.fetch('/db')).json() }
}

export async function send(api: OpenedServer, method: string, path: string, body?: unknown): Promise<number> {
  return (await api.fetch(path, body === undefined ? { method } : json(method, body))).status
}
