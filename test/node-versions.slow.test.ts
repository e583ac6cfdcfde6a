import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endLaunched, launch } from './support/child/launch.ts'
import { folderOf } from './support/folder.ts'
import { type Consumer, createConsumer } from './support/package/consumer.ts'
import { type InstalledNode, installNode } from './support/package/install-node.ts'

const isCi = Boolean(process.env.CI)
if (!isCi) {
  console.warn(
    'The tests on Node 22, 24 and 26 are skipped: they download them. CI=true npm run test:all runs them.',
  )
}

/** One item asked for through the module, as a user's own program would. */
const ASK = `
  const server = await start({ data: { posts: [{ id: 1 }] }, quiet: true })
  const answer = await fetch(server.url + '/posts/1')
  console.log(process.version.split('.')[0], answer.status, JSON.stringify(await answer.json()))
  await server.close()
`

const MAJORS = [22, 24, 26]
let consumer: Consumer
let installed: Map<number, InstalledNode>
beforeAll(async () => {
  if (!isCi) return
  // They mostly wait for the registry.
  const nodes = MAJORS.map(async (major) => [major, await installNode(major)] as const)
  consumer = await createConsumer()
  installed = new Map(await Promise.all(nodes))
}, 180_000)
afterAll(async () => {
  await consumer?.remove()
  for (const node of installed?.values() ?? []) await node.remove()
})

describe.skipIf(!isCi).each(MAJORS)('the packed package on Node %i', { timeout: 60_000 }, (major) => {
  let node: string
  let folder: string

  beforeAll(() => {
    folder = folderOf()
    node = installed.get(major)?.path ?? ''
  })

  afterAll(() => {
    endLaunched()
  })

  it('serves a file, saves a write to it, and ends with 0', async () => {
    const file = join(folder, 'db.json')
    await writeFile(file, '{"posts":[{"id":1,"title":"hello"}]}')
    const program = join(consumer.folder, 'node_modules/restable/dist/bundle/bin.cjs')
    const server = launch(['db.json', '--port', '0'], { cwd: folder, program, node })
    const url = await server.url()

    const body = JSON.stringify({ title: 'again' })
    const headers = { 'Content-Type': 'application/json' }
    const written = await fetch(`${url}/posts`, { method: 'POST', headers, body })
    expect([written.status, await written.json()]).toEqual([201, { id: 2, title: 'again' }])
    const found = await fetch(`${url}/posts?title_like=hel`)
    expect([found.status, await found.json()]).toEqual([200, [{ id: 1, title: 'hello' }]])
    expect(JSON.parse(await readFile(file, 'utf8')).posts).toHaveLength(2)

    server.child.kill('SIGTERM')
    expect([await server.ended, server.stderr()]).toEqual([0, ''])
  })

  it('reads a config in TypeScript, and Node warns of nothing', async () => {
    await writeFile(join(folder, 'notes.json'), '{"notes":[{"id":1}]}')
    const config = "const source: string = 'notes.json'\nexport default { source }\n"
    await writeFile(join(folder, 'restable.config.ts'), config)
    const program = join(consumer.folder, 'node_modules/restable/dist/bundle/bin.cjs')
    const described = launch(['types'], { cwd: folder, program, node })
    expect([await described.ended, described.stderr()]).toEqual([0, ''])
    expect(described.stdout()).toContain('notes: ')
  })

  it.each([
    ['import', 'ask.mjs', `import { start } from 'restable'\n${ASK}`],
    ['require', 'ask.cjs', `const { start } = require('restable')\nasync function main() {${ASK}}\nmain()\n`],
  ])('answers a program that got it by %s, and Node warns of nothing', async (_, file, source) => {
    const stdout = `v${major} 200 {"id":1}\n`
    expect(await consumer.runFile(file, source, node)).toEqual({ stdout, stderr: '' })
  })
})
