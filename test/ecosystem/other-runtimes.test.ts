import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asLong } from '../support/length.ts'
import { type Consumer, createConsumer } from '../support/package/consumer.ts'

/** Reads, writes and follows changes of an API that another server has mounted. */
const program = (port: string) => `
  import { open } from 'restable'
  const api = await open({ data: { posts: [{ id: 1, title: 'one' }] } })
  const url = 'http://localhost:' + ${port}
  const post = (body) =>
    fetch(url + '/posts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  const events = (await fetch(url + '/__events')).body.getReader()
  const created = [await post({ title: 'two' }), await post({ title: 'x'.repeat(200_000) })]
  let text = ''
  while (!text.includes('event: change')) text += new TextDecoder().decode((await events.read()).value)
  const { headers } = await fetch(url + '/posts?_page=1&_limit=1')
  const page = await (await fetch(url + '/')).text()
  const seen = [...created.map(({ status }) => status), headers.get('x-total-count'), page.slice(0, 9)]
  console.log(JSON.stringify(seen))
  process.exit()
`
const SERVE = '(request) => api.fetch(request)'

// The two are 200 MB: `npm run test:long` downloads them.
describe.runIf(asLong(false, true))('open().fetch', { timeout: 300_000 }, () => {
  let consumer: Consumer
  beforeAll(async () => {
    consumer = await createConsumer({ packages: ['bun', 'deno'] })
  }, 300_000)
  afterAll(() => consumer?.remove())

  it.each([
    ['Bun', ['bun'], `Bun.serve({ port: 0, idleTimeout: 0, fetch: ${SERVE} }).port`],
    ['Deno', ['deno', 'run', '-A'], `Deno.serve({ port: 0, onListen() {} }, ${SERVE}).addr.port`],
  ])('serves the API in %s', async (_, [command = '', ...flags], port) => {
    await writeFile(join(consumer.folder, 'serve.mjs'), program(port))
    const { stdout } = await consumer.runCommand(command, ...flags, 'serve.mjs')
    expect(JSON.parse(stdout)).toEqual([201, 201, '3', '<!doctype'])
  })
})
