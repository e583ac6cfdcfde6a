import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const built = fileURLToPath(new URL('../../../dist/bundle/index.js', import.meta.url))

it('a server leaves nothing open once it is closed: the process ends by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restable-start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'db.json'), '{ "posts": [] }')
  await writeFile(join(folder, 'a.mjs'), 'export default (req, res, next) => next()')
  const file = join(folder, 'script.mjs')
  await writeFile(
    file,
    `import { start } from ${JSON.stringify(built)}
     const middlewares = ['./a.mjs', 'rate-limit']
     const server = await start({ source: 'db.json', watch: true, middlewares })
     await (await fetch(server.url + '/posts', { method: 'POST' })).text()
     await server.close()
     console.log('closed')`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 15_000 })
  expect(stdout).toBe('closed\n')
})
