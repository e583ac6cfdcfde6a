import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Row } from '../../../src/core/engine/types.ts'
import { Clock } from '../../../src/core/kernel/util/clock.ts'
import { Feed } from '../../../src/core/kernel/util/feed.ts'
import { FAULT_LOG } from '../../../src/core/router/respond.ts'
import { FEATURES } from '../../../src/features/list.ts'
import type { Settings } from '../../../src/features/settings.ts'
import { resolveConfig } from '../../../src/features/settings.ts'
import { inProcess } from '../../../src/serve/server/in-process.ts'
import { openService, type ServiceOptions } from '../../../src/serve/service/open-service.ts'
import { serviceApp } from '../../../src/serve/service-app.ts'
import { TestHandlers } from '../../../src/serve/test-handlers.ts'
import { parseLogic } from '../../../src/wings/logic/parse-logic.ts'
import { pauseOften } from '../../support/engine/pause-often.ts'
import { folderOf } from '../../support/folder.ts'

const NOTHING = { changed: new Set<string>(), onFault: () => {} }

async function open(settings: Settings = {}, more: Partial<ServiceOptions> = {}) {
  const clock = new Clock()
  const service = await openService(resolveConfig({ quiet: true, ...settings }), {
    data: { posts: [{ id: 1, title: 'one' }] },
    clock,
    features: FEATURES,
    feed: new Feed(),
    overrides: new TestHandlers(() => {}),
    log: () => {},
    report: () => {},
    ...more,
  })
  const session = await service.now.worlds.open('a')
  const insert = () =>
    session?.engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'one' }] })
  const renew = (next: Settings) => service.renew(resolveConfig({ quiet: true, ...next }), NOTHING)
  return { service, clock, session, insert, renew }
}

describe('a session whose server gets other settings', () => {
  it('goes on, held to the rules that now are', async () => {
    const { service, session, insert, renew } = await open()
    await insert()
    await renew({ resources: { posts: { unique: ['title'] } } })
    expect(service.now.worlds.peek('a')).toBe(session)
    await expect(insert()).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    await renew({ cascade: true })
    await insert()
  })

  it('starts with the rules that are', async () => {
    const { insert } = await open({ resources: { posts: { unique: ['title'] } } })
    await expect(insert()).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
  })

  it('goes on where they cannot be used', async () => {
    const { service, session, renew } = await open()
    await expect(renew({ id: 'key', middlewares: ['./not-there.mjs'] })).rejects.toThrow('not-there.mjs')
    expect(service.now.worlds.peek('a')).toBe(session)
  })

  it.each<[string, Settings]>([
    ['turn sessions off', { sessions: false }],
    ['serve other data', { id: 'key' }],
  ])('ends where they %s', async (_, next) => {
    const { service, renew } = await open()
    await renew(next)
    expect(service.now.worlds.peek('a')).toBeUndefined()
  })
})

it('the chain of a server that gets other settings is the same, with what a program added to it', async () => {
  const { service, renew } = await open()
  const { app } = serviceApp(service, () => {})
  const { db } = app
  db?._.mixin({ createId: () => 'mine' })
  await renew({ cascade: true })
  expect(app.db).toBe(db)
  await service.now.engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
  expect(service.now.engine.database.table('posts')?.rows.items().at(-1)).toEqual({ id: 'mine' })
})

it('a server that is no longer a hosted one has accounts, and one that becomes such has none', async () => {
  const accounts: Settings = { middlewares: ['accounts'] }
  const { service, renew } = await open({ ...accounts, hosted: { variant: 'public' } })
  const { fetch } = inProcess(
    serviceApp(service, () => {}),
    { origin: '', root: '' },
  )
  const register = async (email: string) => {
    const body = JSON.stringify({ email, password: 'correct horse' })
    return (
      await fetch('/register', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    ).status
  }
  expect(await register('a@a.test')).toBe(404)
  await renew(accounts)
  expect(await register('b@b.test')).toBe(201)
  await renew({ ...accounts, hosted: { variant: 'public' } })
  expect(await register('c@c.test')).toBe(404)
})

it('what is wrong with a file is not said of the next one', async () => {
  const folder = folderOf()
  const [source, other] = [join(folder, 'old.json'), join(folder, 'new.json')]
  for (const file of [source, other]) await writeFile(file, '{"posts": []}')
  const { service, renew } = await open({ source }, { data: undefined })
  onTestFinished(() => service.close())
  await writeFile(source, '{"posts": ')
  await expect(service.reloadData()).rejects.toThrow('old.json')
  expect(service.now.dataFault()).toContain('old.json')
  await renew({ source, cascade: true })
  expect(service.now.dataFault()).toContain('old.json')
  await renew({ source: other })
  expect(service.now.dataFault()).toBeUndefined()
})

it('a handler that begins when its session has ended plans nothing for later', async () => {
  let hasRun = false
  const { service, session, clock } = await open()
  const { serviceLogic } = service.now
  if (!session) throw new Error('There is no session.')
  serviceLogic.runnerOf(session.engine)
  service.now.worlds.end('a')
  await serviceLogic.runnerOf(session.engine).run({ depth: 0 }, ({ later }) =>
    later('1s', () => {
      hasRun = true
    }),
  )
  clock.advance('1h')
  await clock.idle()
  expect(hasRun).toBe(false)
})

it('a write that fails is explained by the file that now is', async () => {
  const { service, renew } = await open({ source: 'old.json' })
  const printed: string[] = []
  const { app } = serviceApp(service, (line) => printed.push(line))
  await renew({ source: 'new.json' })
  app.get(FAULT_LOG)('POST /posts: EROFS', Object.assign(new Error('EROFS'), { syscall: 'open' }))
  expect(printed).toEqual(['POST /posts: EROFS', expect.stringMatching(/^new\.json cannot be written\./)])
})

it('a session that is opened while its server gets other data has the other data', async () => {
  pauseOften()
  const logic = parseLogic({ posts: { computed: { twice: ({ id }: Row) => 2 * Number(id) } } }, 'logic.mjs')
  const data = { posts: Array.from({ length: 200 }, (_, id) => ({ id, key: id })) }
  const { service, renew } = await open({}, { logic, data, live: false })
  const before = service.now
  const renewed = renew({ id: 'key' })
  for (let at = 0; service.now === before; at++) {
    await service.now.worlds.open(`session-${at}`)
    await new Promise(setImmediate)
  }
  await renewed
  const ids = service.now.worlds.opened().map(({ engine }) => engine.naming.id)
  expect(ids.filter((id) => id !== 'key')).toEqual([])
})

describe('the versions of a server that gets other data', () => {
  it.each(['2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])(
    'grow, though its clock shows %s',
    async (now) => {
      const { service, clock, renew } = await open()
      const { version } = service.now.engine.history
      clock.set({ now, frozen: true })
      await renew({ id: 'key' })
      const next = service.now.engine.history.version
      expect(next).toBeGreaterThan(version)
      // They go on from there after a restart, when the clock is the real one again.
      expect(next).toBeLessThanOrEqual(Math.max(Date.now(), version + 1))
      expect(service.now.engine.history.since(version)).toBeUndefined()
    },
  )
})
