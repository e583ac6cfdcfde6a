import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readJsonFile } from '../../../src/config/config-file.ts'
import { launch } from '../../support/child/launch.ts'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'

const DATA = { items: [{ id: 1 }] }
/** How long a held lock is waited for; what can never be a lock, or a file, is not waited for at all. */
const PROMISED = 15_000

/** What may be in place of a file, what messages call it, and how to create it. */
const ODD = [
  ['a folder', 'a folder', (path: string) => mkdir(path)],
  ['a link that leads nowhere', 'a symbolic link', (path: string) => symlink('nowhere', path)],
  ['a link in a circle', 'a symbolic link', (path: string) => symlink(path, path)],
  ['a named pipe', 'a named pipe', async (path: string) => void execFileSync('mkfifo', [path])],
  ['a socket', 'a socket', listenAt],
  ['a link to a device', 'a symbolic link', (path: string) => symlink('/dev/zero', path)],
] as const

let home: string
let file: string
let server: RealServer

beforeAll(async () => {
  home = folderOf({ 'db.json': DATA })
  file = join(home, 'db.json')
  server = await serveHome(home, { args: ['--watch'] })
})

describe.runIf(process.platform !== 'win32')('a lock file that is none', () => {
  it.each(ODD)(
    '%s: writes are refused, by its name, and go on once it is gone',
    async (_name, kind, make) => {
      const lock = join(home, '.db.json.lock')
      await rm(lock, { force: true })
      await make(lock)
      const start = performance.now()
      const refused = await Promise.all([1, 2, 3, 4, 5].map((n) => server.ask('POST', '/items', { n })))
      expect(performance.now() - start).toBeLessThan(PROMISED)
      for (const { status, body } of refused) {
        expect(status).toBe(503)
        expect(JSON.parse(body)).toMatchObject({
          code: 'WRITE_FAILED',
          message: expect.stringContaining(`.db.json.lock is ${kind}`),
        })
        expect(body).not.toContain(home)
      }
      // One line in the log, without a stack: it is not a bug.
      expect(server.process.stderr() + server.process.stdout()).toContain(`.db.json.lock is ${kind}`)
      expect(server.process.stderr() + server.process.stdout()).not.toContain('    at ')
      await rm(lock, { recursive: true })
      await writes()
    },
  )
})

describe.runIf(process.platform !== 'win32')('a data file that became something else', () => {
  it.each([
    ['a folder', /db\.json is a folder/, (path: string) => mkdir(path)],
    ['a named pipe', /db\.json is a named pipe/, async (path: string) => void execFileSync('mkfifo', [path])],
    ['a socket', /db\.json is a socket/, listenAt],
    ['a link to a device', /db\.json is a device/, (path: string) => symlink('/dev/zero', path)],
    ['a link in a circle', /ELOOP/, (path: string) => symlink(path, path)],
  ])('%s: reads go on, writes are refused, and go on once it is put right', async (_name, why, make) => {
    await rename(file, join(home, 'good.json'))
    await make(file)
    const before = await server.served()
    const start = performance.now()
    // More of them than Node has threads: none may wait forever.
    const refused = await Promise.all(
      ['POST', 'PUT', 'PATCH', 'DELETE', 'POST', 'POST'].map((method) =>
        server.ask(method, method === 'POST' ? '/items' : '/items/1', {}),
      ),
    )
    expect(performance.now() - start).toBeLessThan(PROMISED)
    for (const { status, body } of refused) {
      expect(status).toBe(503)
      expect(JSON.parse(body).message).toMatch(why)
    }
    expect(await server.served()).toEqual(before)
    await rm(file, { recursive: true })
    await rename(join(home, 'good.json'), file)
    await writes()
  })

  it('a named pipe, more often than Node has threads, while it is watched: none is lost to it', async () => {
    const lines = () =>
      server.process.stdout().concat(server.process.stderr()).split('is a named pipe').length
    for (let turn = 1; turn <= 5; turn += 1) {
      const before = lines()
      await rename(file, join(home, 'good.json'))
      execFileSync('mkfifo', [file])
      await expect.poll(lines, { timeout: 5000 }).toBeGreaterThan(before)
      await rename(join(home, 'good.json'), file)
      await writes()
      // Printed once until it is solved, which is noticed at the next read of the file.
      const reloads = () => server.process.stdout().split('changed, reloaded').length
      const known = reloads()
      await writeFile(file, JSON.stringify({ items: [{ id: 1, turn }] }))
      await expect.poll(reloads, { timeout: 5000 }).toBeGreaterThan(known)
    }
  })

  it.each([
    ['a folder', (path: string) => mkdir(path)],
    ['a named pipe', async (path: string) => void execFileSync('mkfifo', [path])],
    ['a socket', listenAt],
    ['a device', (path: string) => symlink('/dev/zero', path)],
  ])('%s ends a start in one line that names it', async (kind, make) => {
    const other = folderOf()
    await make(join(other, 'db.json'))
    const started = launch(['db.json', '--port', '0'], { cwd: other })
    expect(await started.ended).toBe(1)
    expect(started.stderr().trim().split('\n')).toEqual([expect.stringContaining(`"db.json" is ${kind}`)])
  })
})

it.runIf(process.platform !== 'win32')('a config file that is a named pipe is not waited for', async () => {
  const pipe = join(folderOf(), 'pipe.json')
  execFileSync('mkfifo', [pipe])
  await expect(readJsonFile(pipe)).rejects.toThrow(`${pipe}: the file cannot be read (it is a named pipe).`)
})

/** Shows that everything works again, without a restart. */
async function writes(): Promise<void> {
  const { status, body } = await server.ask('POST', '/items', {})
  expect([status, body]).toEqual([201, expect.any(String)])
  expect(await server.served()).toEqual(await saved(home))
}

/** A socket, as left behind by a program that was listening on it. */
async function listenAt(path: string): Promise<void> {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(`${path}.socket`, resolve))
  // A listener removes its socket when it closes, but only under the name it knows.
  await rename(`${path}.socket`, path)
  await new Promise((resolve) => listener.close(resolve))
}
