import { readFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { type StartOptions, start } from '../../../src/index.ts'
import { fileOf } from '../folder.ts'
import { type Answer, exchange } from './exchange.ts'

export type Kept = 'a file' | 'a live object'

export interface Shop {
  readonly url: string
  readonly port: number
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** What is kept: in the file, or in the object that was handed over. */
  kept(): Promise<Record<string, unknown[]>>
}

export const JSON_PATCH = { 'content-type': 'application/json-patch+json' }
export const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' }

/** A few companies and their products, served until the test ends. */
export async function serveShop(
  kept: Kept,
  options: StartOptions = {},
  data: Record<string, unknown> = shop(),
): Promise<Shop> {
  const file = fileOf(data)
  const server = await start({
    foreignKeySuffix: '_id',
    ...(kept === 'a file' ? { source: file } : { data }),
    ...options,
  })
  onTestFinished(() => server.close())
  return {
    url: server.url,
    port: server.port,
    ask: (method, path, body, headers) =>
      exchange(server.port, {
        method,
        path,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    kept: async () => (kept === 'a file' ? JSON.parse(await readFile(file, 'utf8')) : structuredClone(data)),
  }
}

function shop(): Record<string, unknown> {
  return {
    companies: [
      { id: 1, name: 'Acme', head: { city: 'Rome', zip: '00100' } },
      { id: 2, name: 'Bolt' },
    ],
    products: [
      { id: 1, name: 'Desk', price: 5, company_id: 1, tags: ['wood'] },
      { id: 2, name: 'Lamp', price: 10, company_id: 2 },
      { id: 3, name: 'Sofa', price: 20, company_id: 2, note: 'a lamp is in it' },
    ],
    reviews: [
      { id: 1, product_id: 2 },
      { id: 2, product_id: 3 },
    ],
    profile: { name: 'Shop', open: { from: 9, to: 18 } },
  }
}
