import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { serve } from '../../support/http/serve.ts'

export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

export interface FileValue {
  readonly url: string
  readonly name: string
  readonly type: string
  readonly size: number
}

export interface Row {
  readonly id: number
  readonly [field: string]: unknown
}

type Sent = string | readonly [content: string | Buffer, name: string, type?: string]

/** A form with these parts, in this order. */
export function formOf(...parts: readonly (readonly [name: string, value: Sent])[]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else {
      const [content, fileName, type = ''] = value
      form.append(name, new Blob([content], { type }), fileName)
    }
  }
  return form
}

/** A form written byte by byte. */
export function rawForm(...parts: readonly string[]): RequestInit {
  const body = parts.map((part) => `--xx\r\n${part}\r\n`).join('')
  return {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=xx' },
    body: Buffer.from(`${body}--xx--\r\n`, 'latin1'),
  }
}

export const DATA = {
  posts: [{ id: 1, title: 'a' }],
  companies: [{ id: 9, name: 'x' }],
  profile: { name: 'me' },
}

/** A server of a file with uploads, and what is in its folder. */
export async function serveUploads(options: StartOptions = {}, data: object = DATA) {
  const folder = folderOf({ 'db.json': data })
  const server = await serve({ source: join(folder, 'db.json'), uploads: true, ...options })
  const send = async (method: string, path: string, body: FormData | object | RequestInit) => {
    const init =
      body instanceof FormData
        ? { method, body }
        : 'body' in body
          ? { ...body, method }
          : asJson(method, body)
    const response = await fetch(`${server.url}${path}`, init)
    return { status: response.status, headers: response.headers, row: (await response.json()) as Row }
  }
  return { folder, server, send, files: () => filesIn(folder) }
}

function asJson(method: string, body: object): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** The names of stored files, and of what is not finished. */
export function filesIn(folder: string): readonly string[] {
  const names = readdirSync(join(folder, 'uploads'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /[0-9a-f]{32}$|\.(?:part|tmp)$/.test(name))
}

export function fileIn(value: unknown): FileValue {
  if (typeof value === 'object' && value !== null && 'url' in value) return value as FileValue
  throw new TypeError(`No file: ${JSON.stringify(value)}`)
}

export function write(folder: string, name: string, data: object): void {
  writeFileSync(join(folder, name), JSON.stringify(data))
}

export async function rowIn(response: Response): Promise<Row> {
  return (await response.json()) as Row
}
