import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { staticFiles } from '../../src/config/static-files.ts'
import { folderOf } from '../support/folder.ts'
import { echo } from '../support/http/echo.ts'
import { exchange } from '../support/http/exchange.ts'

let home = ''

beforeAll(async () => {
  home = folderOf()
  await mkdir(join(home, 'public/inside/deep'), { recursive: true })
  await mkdir(join(home, 'public/linked-index'))
  await mkdir(join(home, 'public-too'))
  await mkdir(join(home, 'outside'))
  const files = {
    'public/open.txt': 'open',
    'public/.env': 'secret',
    'public/inside/index.html': 'index',
    'public/inside/deep/far.txt': 'far',
    'public-too/near.txt': 'secret',
    'outside/index.html': 'secret',
    'outside/secret.txt': 'secret',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
  const links = {
    'public/to-file.txt': '../outside/secret.txt',
    'public/to-folder': '../outside',
    'public/to-neighbour': '../public-too',
    'public/linked-index/index.html': '../../outside/index.html',
    'public/to-itself': 'to-itself',
    'public/to-nothing': '../nothing',
    'public/to-absolute.txt': join(home, 'outside/secret.txt'),
    'public/twice': 'to-folder',
    'public/good.txt': 'inside/deep/far.txt',
    'public/good-folder': 'inside',
    'public/good-absolute.txt': join(home, 'public/open.txt'),
    current: 'public',
  }
  for (const [name, target] of Object.entries(links)) await symlink(target, join(home, name))
})

// The folder itself may be a link: its owner named it.
describe.each(['public', 'current'])('the files of the folder %s', (folder) => {
  const ask = async (path: string, method = 'GET') => {
    const { port, seen } = await echo([staticFiles(join(home, folder))])
    const { status, body } = await exchange(port, { method, path })
    return { status, body, wentOn: seen.length === 1 }
  }

  it.each([
    ['/open.txt', 'open'],
    ['/%6Fpen.txt?a=b', 'open'],
    ['/inside/', 'index'],
    ['/inside/deep/far.txt', 'far'],
    ['/good.txt', 'far'],
    ['/good-folder/deep/far.txt', 'far'],
    ['/good-folder/', 'index'],
    ['/good-absolute.txt', 'open'],
  ])('are served: %s', async (path, text) => {
    expect(await ask(path)).toEqual({ status: 200, body: text, wentOn: false })
    expect(await ask(path, 'HEAD')).toEqual({ status: 200, body: '', wentOn: false })
  })

  it.each([
    '/to-file.txt',
    '/to-folder/secret.txt',
    '/to-folder/',
    '/to-folder',
    '/to-neighbour/near.txt',
    '/linked-index/',
    '/linked-index/index.html',
    '/twice/secret.txt',
    '/to-absolute.txt',
    '/to-itself',
    '/to-nothing',
    '/to-%66ile.txt',
    '/inside/../to-file.txt',
    '/.env',
    '/open.txt/',
    '/nowhere',
    '/open.txt%00',
    '/%zz',
    '/\\elsewhere/',
    `/${'a'.repeat(5000)}`,
  ])('are left to other handlers, since there is no such file inside: %s', async (path) => {
    const { wentOn, body } = await ask(path)
    expect(wentOn).toBe(true)
    expect(body).not.toContain('secret"')
  })

  it('are not for writing', async () => {
    expect((await ask('/open.txt', 'POST')).wentOn).toBe(true)
  })
})
