import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { start } from '../../../src/index.ts'
import { importData } from '../../../src/source/transfer.ts'
import { folderOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { ADA, MEMBERS } from '../../support/http/members.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../support/postgres/cluster.ts'
import { openEngine } from '../../support/postgres/fill.ts'

const LOGIN = { email: ADA.email, password: 'password-of-ada' }

describe.skipIf(!hasPostgres)(`logins of several servers${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  async function membersIn(address: string, layer: 'accounts' | 'jwt' = 'accounts') {
    const server = await start({ source: address, port: 0, middlewares: [layer], print: () => {} })
    let isOpen = true
    const close = async () => {
      if (isOpen) await server.close()
      isOpen = false
    }
    onTestFinished(close)
    return { ask: asking(server.url), close }
  }

  async function twoServers(layer?: 'accounts' | 'jwt') {
    const folder = folderOf()
    const [path, address] = [join(folder, 'db.json'), await freshAddress()]
    writeFileSync(path, JSON.stringify(MEMBERS))
    await importData({ from: path, to: address })
    return { address, one: await membersIn(address, layer), two: await membersIn(address, layer) }
  }

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('are good at all of them, and after a restart', async () => {
    const { address, one, two } = await twoServers()
    const { body } = await one.ask('POST', '/login', LOGIN)
    const me = { status: 200, body: { email: ADA.email } }
    expect(await two.ask('GET', '/me', undefined, bearer(body.token))).toMatchObject(me)
    await one.close()
    const again = await membersIn(address)
    expect(await again.ask('GET', '/me', undefined, bearer(body.token))).toMatchObject(me)
  })

  it('are refreshed at any of them, each token once: used again, it ends the login everywhere', async () => {
    const { one, two } = await twoServers()
    const { body: first } = await one.ask('POST', '/login', LOGIN)
    const refresh = { refreshToken: first.refreshToken }
    const { status, body: second } = await two.ask('POST', '/refresh', refresh)
    expect(status).toBe(200)
    expect((await one.ask('GET', '/me', undefined, bearer(second.token))).status).toBe(200)
    expect((await one.ask('POST', '/refresh', refresh)).status).toBe(401)
    expect((await two.ask('GET', '/me', undefined, bearer(second.token))).status).toBe(401)
  })

  it('give a refresh token that is used at both at the same time to one of them at most', async () => {
    const { one, two } = await twoServers()
    const { body } = await one.ask('POST', '/login', LOGIN)
    const refresh = { refreshToken: body.refreshToken }
    const asked = Array.from({ length: 8 }, (_, at) => (at % 2 ? one : two).ask('POST', '/refresh', refresh))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
    expect(statuses.filter((status) => status !== 401 && status !== 200)).toEqual([])
  })

  it('take turns: of several changes of the same state one is made', async () => {
    const { engine, shared } = await openEngine(await freshAddress())
    onTestFinished(() => engine.close())
    const swap = (before?: string, after?: string) => shared.swap('one', before, after)
    for (const [before, make] of [
      [undefined, String],
      ['kept', String],
      ['kept', () => undefined],
    ] as const) {
      const done = await Promise.all(Array.from({ length: 8 }, (_, at) => swap(before, make(at))))
      expect(done.filter(Boolean)).toHaveLength(1)
      const now = await shared.read('one')
      expect(now).toBe(make(done.indexOf(true)))
      await swap(now, 'kept')
    }
    expect(await swap('other', 'lost')).toBe(false)
    expect(await shared.read('one')).toBe('kept')
  })

  it('are forgotten where there are more than 100,000, the oldest first', async () => {
    const address = await freshAddress()
    const { engine, shared } = await openEngine(address)
    onTestFinished(() => engine.close())
    const table = `"${/schema=(\w+)/.exec(address)?.[1]}".shared`
    await runIn(
      address,
      `INSERT INTO ${table} SELECT 'n' || nth, 'v', now() - nth * interval '1s' FROM generate_series(1, 100003) nth`,
    )
    expect(await shared.swap('new', undefined, 'value')).toBe(true)
    expect(await runIn(address, `SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 100_002 }])
    for (const [name, value] of [
      ['new', 'value'],
      ['n1', 'v'],
      ['n100003', undefined],
    ] as const) {
      expect(await shared.read(name)).toBe(value)
    }
  })

  it('end everywhere: with a logout, and with another password', async () => {
    const { one, two } = await twoServers()
    const logins = await Promise.all([1, 2].map(() => one.ask('POST', '/login', LOGIN)))
    const [first, second] = logins.map(({ body }) => bearer(body.token))
    await two.ask('POST', '/logout', {}, first)
    expect((await one.ask('GET', '/me', undefined, first)).status).toBe(401)
    const { body: third } = await one.ask('POST', '/login', LOGIN)
    const change = { password: 'another-password', currentPassword: LOGIN.password }
    expect((await two.ask('PATCH', '/me', change, bearer(third.token))).status).toBe(200)
    await expect
      .poll(async () => (await one.ask('GET', '/me', undefined, second)).status, { timeout: 5000 })
      .toBe(401)
    // Whoever changed it stays.
    expect((await one.ask('GET', '/me', undefined, bearer(third.token))).status).toBe(200)
  })

  it('of the layer jwt are good at all of them, too', async () => {
    const { one, two } = await twoServers('jwt')
    const { body } = await one.ask('POST', '/login', LOGIN)
    expect((await two.ask('POST', '/posts', {})).status).toBe(401)
    expect((await two.ask('POST', '/posts', {}, bearer(body.token))).status).toBe(201)
  })
})
