import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../support/child/free-port.ts'
import { memoryOf } from '../../support/child/memory-of.ts'
import { endRealServers, saved } from '../../support/child/real-server.ts'
import { SmallDisk } from '../../support/faults/disk.ts'
import { folderOf } from '../../support/folder.ts'
import { exchange } from '../../support/http/exchange.ts'

const BIN = fileURLToPath(new URL('../../../dist/bundle/bin.cjs', import.meta.url))
const DATA = { items: [{ id: 1 }], users: [{ id: 1, email: 'a', password: 'b' }] }

/** An error in the user's middleware, whose stack goes to stderr. */
const BOOM = `module.exports = (req, _res, next) => {
  const faults = { '/boom': 'boom', '/long': Buffer.alloc(1e6, 'x').toString() }
  next(faults[req.url] && new Error(faults[req.url]))
}`

const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await endRealServers()
})

type Output = number | 'pipe'

/** The program with these outputs, once it responds. On a known port, because its output may be lost. */
async function serveInto(stdout: Output, stderr: Output, isClosed = true) {
  const port = await freePort()
  const settings = { port, host: '127.0.0.1', middlewares: ['logger', 'jwt', './boom.cjs'] }
  const home = folderOf({ 'db.json': DATA, 'json-server.config.json': settings, 'boom.cjs': BOOM })
  const child = spawn(process.execPath, [BIN, 'db.json'], { cwd: home, stdio: ['ignore', stdout, stderr] })
  children.push(child)
  const ask = (method: string, path: string, body?: string, headers = {}) =>
    exchange(port, { method, path, headers, ...(body === undefined ? {} : { body }) })
  if (isClosed) for (const pipe of [child.stdout, child.stderr]) pipe?.destroy()
  const status = () =>
    ask('GET', '/items').then(
      (answer) => answer.status,
      () => 0,
    )
  await expect.poll(status, { timeout: 15_000 }).toBe(200)
  return { child, home, ask }
}

/** It still reads, fails, writes, and stops when asked. */
async function expectAlive({ child, home, ask }: Awaited<ReturnType<typeof serveInto>>): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) expect((await ask('GET', `/items?turn=${turn}`)).status).toBe(200)
  for (let turn = 0; turn < 3; turn += 1) expect((await ask('GET', '/boom')).status).toBe(500)
  const json = { 'content-type': 'application/json' }
  const login = await ask('POST', '/login', '{"email":"a","password":"b"}', json)
  const authorization = `Bearer ${JSON.parse(login.body).token}`
  const created = await ask('POST', '/items', '{"n":1}', { ...json, authorization })
  expect(created.status).toBe(201)
  expect((await saved(home)).items).toEqual([{ id: 1 }, { n: 1, id: 2 }])
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}

describe.runIf(process.platform === 'linux')('a full disk under the output', () => {
  it.each([
    ['stdout', true, false],
    ['stderr', false, true],
    ['both', true, true],
  ])('ends nothing: %s', async (_name, out, error) => {
    const [full, quiet] = [openSync('/dev/full', 'w'), openSync('/dev/null', 'w')]
    const server = await serveInto(out ? full : quiet, error ? full : quiet)
    closeSync(full)
    closeSync(quiet)
    await expectAlive(server)
  })

  it.runIf(SmallDisk.isPossible())('and its log goes on when there is room again', async () => {
    const disk = new SmallDisk('200k')
    try {
      const log = openSync(`${disk.folder}/log.txt`, 'a')
      const server = await serveInto(log, log)
      closeSync(log)
      await disk.fill()
      // More than fits in the rest of a memory page.
      for (let turn = 0; turn < 100; turn += 1) await server.ask('GET', `/items?${'lost'.repeat(300)}`)
      disk.makeRoom()
      await server.ask('GET', '/items?found')
      await expectAlive(server)
      expect(await readFile(`${disk.folder}/log.txt`, 'utf8')).toContain('/items?found')
    } finally {
      disk.remove()
    }
  })
})

describe('pipes that nobody reads anymore', () => {
  it('end nothing: both are closed', async () => {
    await expectAlive(await serveInto('pipe', 'pipe'))
  })

  it('take no more than a little memory: nobody reads, and nobody closes', async () => {
    const server = await serveInto('pipe', 'pipe', false)
    for (let turn = 0; turn < 20; turn += 1) await server.ask('GET', '/long')
    const before = memoryOf(server.child.pid)
    for (let turn = 0; turn < 300; turn += 1) expect((await server.ask('GET', '/long')).status).toBe(500)
    expect(memoryOf(server.child.pid) - before).toBeLessThan(100)
    await expectAlive(server)
  })
})
