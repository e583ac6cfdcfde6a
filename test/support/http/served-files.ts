import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'
import { json } from './serving.ts'

/** A temporary folder with these files. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'restable-files-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

export async function serve(source: StartOptions['source'], options: StartOptions = {}) {
  const lines: string[] = []
  const api = await open({ source, print: (line) => lines.push(line), ...options })
  onTestFinished(() => api.close())
  return { api, lines, db: async () => (await api.fetch('/db')).json() }
}

export async function send(api: OpenedServer, method: string, path: string, body?: unknown): Promise<number> {
  return (await api.fetch(path, body === undefined ? { method } : json(method, body))).status
}
