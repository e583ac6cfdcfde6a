import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { open } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { runs } from '../../support/length.ts'
import { closeApi } from '../../support/proxy/upstream.ts'
import { MadeUpApi, STEPS, STYLES, type Step, type Style } from '../../support/proxy/made-up-api.ts'

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
  const answers: { url: string; then: unknown; now: unknown }[] = []
  for (const [url, { body }] of last) {
    const now = await offline.fetch(url)
    const text = await now.text()
    answers.push({ url, then: aside(body, api.url), now: aside(JSON.parse(text), 'http://localhost') })
  }
  await offline.close()
  return answers
}

/** A body with its own server's URLs aside. */
function aside(body: unknown, origin: string): unknown {
  return JSON.parse(JSON.stringify(body, (_key, value) => (typeof value === 'string' && value.startsWith(origin) ? 'URL' : value)))
}

it('what was recorded of any API comes again, equal, without it', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(STYLES, STEPS, async (style, steps) => {
      for (const { url, then, now } of await walk(style, steps)) expect(now, url).toEqual(then)
    }),
    { ...runs(30, 500), seed: SEED },
  )
})
