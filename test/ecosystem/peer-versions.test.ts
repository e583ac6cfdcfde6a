import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Consumer, createConsumer } from '../support/package/consumer.ts'
import { type InstalledNode, installNode } from '../support/package/install-node.ts'

/** A Node that runs what ours, the oldest that we support, cannot. */
let newer: Promise<InstalledNode> | undefined
afterAll(async () => (await newer)?.remove())

async function nodeFor(major: number): Promise<string> {
  if (Number(process.versions.node.split('.', 1)[0]) >= major) return process.execPath
  newer ??= installNode(major)
  return (await newer).path
}

async function installed(...packages: readonly string[]): Promise<Consumer> {
  const consumer = await createConsumer({ packages })
  onTestFinished(() => consumer.remove())
  return consumer
}

// test-runners.test.ts and msw.test.ts test the major versions that we have installed ourselves.
describe('restable/vitest', { timeout: 300_000 }, () => {
  const CONFIG = `
    import { defineConfig } from 'vitest/config'
    export default defineConfig({
      test: { globalSetup: 'restable/vitest', provide: { restable: { data: { posts: [{ id: 1 }] } } } },
    })`
  const TEST = `
    import { expect, it } from 'vitest'
    import { api } from 'restable/vitest'
    const { create, fetch } = api()
    it('has data of its own', async () => {
      await create('posts', { title: 'Hello' })
      expect(await (await fetch('/posts')).json()).toEqual([{ id: 1 }, { id: 2, title: 'Hello' }])
    })`

  it.each([
    [2, 20],
    [3, 20],
    [5, 22],
  ])('works with vitest %i, on Node %i', async (major, node) => {
    const consumer = await installed(`vitest@${major}`)
    await writeFile(join(consumer.folder, 'vitest.config.mjs'), CONFIG)
    for (const name of ['a', 'b']) await writeFile(join(consumer.folder, `${name}.test.mjs`), TEST)
    const run = `
      for (const name of Object.keys(process.env)) if (name.startsWith('VITEST')) delete process.env[name]
      process.env.NO_COLOR = '1'
      process.argv.push('run')
      await import('./node_modules/vitest/vitest.mjs')`
    const { stdout } = await consumer.runFile('run.mjs', run, await nodeFor(node))
    expect(stdout).toContain(` v${major}.`)
    expect(stdout).toContain('2 passed (2)')
  })
})

describe('restable/msw', { timeout: 300_000 }, () => {
  it('works with MSW 3, on Node 22', async () => {
    const consumer = await installed('msw@3')
    const program = `
      import { setupServer } from 'msw/node'
      import { open } from 'restable'
      import { handlers } from 'restable/msw'
      const api = await open({ data: { posts: [{ id: 1 }] } })
      const network = setupServer(...handlers(api, '*/api'))
      network.listen({ onUnhandledRequest: 'error' })
      const url = 'https://shop.example/api/posts'
      const init = { method: 'POST', body: '{"title":"two"}', headers: { 'content-type': 'application/json' } }
      const { status, headers } = await fetch(url, init)
      const rows = await (await fetch(url)).json()
      await api.faults.add({ fault: 'reset' })
      const failure = await fetch(url).catch((error) => error.name)
      network.close()
      await api.close()
      console.log(JSON.stringify([status, headers.get('location'), rows, failure]))`
    const { stdout } = await consumer.runFile('mocked.mjs', program, await nodeFor(22))
    const rows = [{ id: 1 }, { title: 'two', id: 2 }]
    expect(JSON.parse(stdout)).toEqual([201, 'https://shop.example/api/posts/2', rows, 'TypeError'])
  })
})
