import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { open, type StartOptions, start } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { runs } from '../../support/length.ts'
import { MadeUpApi, STEPS, STYLES, type Step, type Style } from '../../support/proxy/made-up-api.ts'
import { closeApi } from '../../support/proxy/upstream.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 0)

/** Records a walk through an API, goes offline, and returns what was answered then and now. */
async function walk(style: Style, steps: readonly Step[]) {
  const made = new MadeUpApi(style)
  const api = await closeApi(made.handle)
  const folder = folderOf()
  const source = join(folder, 'db.json')
  const configFile = { path: join(folder, 'restable.config.json'), read: async () => ({}) }
  const recorder = await open({ source, configFile, proxy: { target: api.url, mode: 'record' } })
  const last = new Map<string, { readonly resource: string; readonly body: unknown }>()
  try {
    for (const step of steps) {
      const { method, url, resource, body } = made.request(step)
      const headers = { 'Content-Type': 'application/json' }
      const answer = await recorder.fetch(url, { method, headers, ...(body !== undefined && { body }) })
      const text = await answer.text()
      if (method !== 'GET') {
        for (const [key, known] of last) if (known.resource === resource) last.delete(key)
      } else if (answer.status === 200) last.set(url, { resource, body: JSON.parse(text) })
    }
  } finally {
    await recorder.close()
    await api.close()
  }
  const offline = await open({ source, configFile })
  const answers: { url: string; before: unknown; after: unknown }[] = []
  for (const [url, { body }] of last) {
    const now = await offline.fetch(url)
    const text = await now.text()
    answers.push({ url, before: aside(body, api.url), after: aside(JSON.parse(text), 'http://localhost') })
  }
  await offline.close()
  return answers
}

const PRODUCTS = Array.from({ length: 23 }, (_, at) => ({
  ...{
    id: at + 1,
    name: `Product ${at}`,
    price: (at * 7) % 10,
    tags: [],
    made: { at: '2026-01-01', by: null },
  },
}))

/** APIs as others build them, made by another server of ours; and what leads to a page. */
const KNOWN: Readonly<
  Record<string, readonly [StartOptions, page: (number: number, size: number) => string]>
> = {
  laravel: [{ shape: 'laravel' }, (page, size) => `page=${page}&per_page=${size}`],
  'laravel, its own size': [{ shape: 'laravel' }, (page) => `page=${page}`],
  spring: [{ shape: 'spring' }, (page, size) => `page=${page - 1}&size=${size}`],
  drf: [{ shape: 'drf' }, (page, size) => `page=${page}&page_size=${size}`],
  'drf, by offset': [{ shape: 'drf' }, (page, size) => `offset=${(page - 1) * size}&limit=${size}`],
  jsonapi: [{ shape: 'jsonapi' }, (page, size) => `page[number]=${page}&page[size]=${size}`],
  strapi: [{ shape: 'strapi' }, (page, size) => `pagination[page]=${page}&pagination[pageSize]=${size}`],
  'strapi, by offset': [
    { shape: 'strapi' },
    (page, size) => `pagination[start]=${(page - 1) * size}&pagination[limit]=${size}`,
  ],
  dummyjson: [{ shape: 'dummyjson' }, (page, size) => `skip=${(page - 1) * size}&limit=${size}`],
  'json-server-1': [{ shape: 'json-server-1' }, (page, size) => `_page=${page}&_per_page=${size}`],
  'json-server': [{}, (page, size) => `_page=${page}&_limit=${size}`],
  wrapped: [{ wrap: 'data' }, (page, size) => `_page=${page}&_limit=${size}`],
  sorted: [{ shape: 'laravel' }, (page, size) => `sort=-price,name&page=${page}&per_page=${size}`],
}

describe.each(Object.entries(KNOWN))('an API like %s', (_, [style, pageOf]) => {
  it('comes again from its rows alone', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 23 }),
        async (size, count) => {
          const api = await start({ data: { products: PRODUCTS.slice(0, count) }, ...style })
          const folder = folderOf()
          const source = join(folder, 'db.json')
          const configFile = { path: join(folder, 'restable.config.json'), read: async () => ({}) }
          const recorder = await open({ source, configFile, proxy: { target: api.url, mode: 'record' } })
          const pages = Array.from(
            { length: Math.ceil(count / size) },
            (_, at) => `/products?${pageOf(at + 1, size)}`,
          )
          const urls = ['/products/1', ...pages, '/products']
          const bodies: unknown[] = []
          for (const url of urls) bodies.push(aside(await (await recorder.fetch(url)).json(), api.url))
          await recorder.close()
          await api.close()
          const saved = JSON.parse(await readFile(join(folder, 'restable.recording.json'), 'utf8'))
          const offline = await open({ source, configFile })
          for (const [at, url] of urls.entries()) {
            const answer = await offline.fetch(url)
            expect(aside(await answer.json(), 'http://localhost'), url).toEqual(bodies[at])
            if (pages.includes(url) || at === 0)
              expect(saved.answers[`GET ${keyed(url)}`]?.whole, url).toBeUndefined()
          }
          await offline.close()
        },
      ),
      { ...runs(2, 40), seed: SEED },
    )
  })
})

function keyed(url: string): string {
  const [path, query] = url.split('?')
  return query === undefined ? url : `${path}?${query.split('&').sort().join('&')}`
}

/** A body with its own server's URLs aside. */
function aside(body: unknown, origin: string): unknown {
  return JSON.parse(
    JSON.stringify(body, (_key, value) =>
      typeof value === 'string' && value.startsWith(origin) ? 'URL' : value,
    ),
  )
}

it('what was recorded of any API comes again, equal, without it', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(STYLES, STEPS, async (style, steps) => {
      for (const { url, before, after } of await walk(style, steps)) expect(after, url).toEqual(before)
    }),
    { ...runs(30, 500), seed: SEED },
  )
})
