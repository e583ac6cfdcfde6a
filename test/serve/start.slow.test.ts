import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folderOf } from '../support/folder.ts'

const built = fileURLToPath(new URL('../../dist/bundle/index.js', import.meta.url))

it('a server leaves nothing open once it is closed: the process ends by itself', async () => {
  const folder = folderOf({
    'db.json': '{ "posts": [] }',
    'a.mjs': 'export default (req, res, next) => next()',
    'script.mjs': `import { start } from ${JSON.stringify(built)}
     const middlewares = ['./a.mjs', 'rate-limit']
     const server = await start({ source: 'db.json', watch: true, middlewares })
     await (await fetch(server.url + '/posts', { method: 'POST' })).text()
     await server.close()
     console.log('closed')`,
  })
  const file = join(folder, 'script.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 15_000 })
  expect(stdout).toBe('closed\n')
})
