import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { ADA, BOB, MEMBERS, members } from '../../support/http/members.ts'

const SECRET = 'a secret that is long enough'
const IN_A = { 'X-Mock-Session': 'a' }

/** A folder with data, and how servers of it are started. */
function dataFolder() {
  const folder = folderOf({ 'db.json': MEMBERS })
  async function started(options: StartOptions = {}) {
    const source = join(folder, 'db.json')
    const { server, ask, lines } = await members({ source, accounts: { secret: SECRET }, ...options })
    return {
      server,
      ask,
      lines,
      close: () => server.close(),
      async login(
        headers: Record<string, string> = {},
        user = { email: ADA.email, password: 'password-of-ada' },
      ) {
        const { email, password } = user
        return (await ask('POST', '/login', { email, password }, headers)).body
      },
      me: async ({ accessToken }: { accessToken: string }, headers = {}) => {
        const own = { ...headers, authorization: `Bearer ${accessToken}` }
        return (await ask('GET', '/me', undefined, own)).status
      },
      refresh: (refreshToken: string) => ask('POST', '/refresh', { refreshToken }),
    }
  }
  return { folder, started, logins: join(folder, '.restable') }
}

describe('after a restart with a secret', () => {
  it('logins live on, and those that ended stay ended', async () => {
    const { started } = dataFolder()
    const first = await started()
    const [kept, left, spent] = [await first.login(), await first.login(), await first.login()]
    const [bob, other] = [await first.login({}, BOB), await first.login({}, BOB)]
    await first.ask('POST', '/logout', {}, { authorization: `Bearer ${left.accessToken}` })
    const { body: next } = await first.refresh(spent.refreshToken)
    const changed = { currentPassword: BOB.password, password: 'password-of-kim' }
    await first.ask('PATCH', '/me', changed, { authorization: `Bearer ${bob.accessToken}` })
    await first.close()

    const again = await started()
    const seen = [kept, left, bob, other, next].map((each) => again.me(each))
    expect(await Promise.all(seen)).toEqual([200, 401, 200, 401, 200])
    expect((await again.refresh(left.refreshToken)).status).toBe(401)
    expect((await again.refresh(kept.refreshToken)).status).toBe(200)
    expect((await again.refresh(spent.refreshToken)).body.message).toContain('was used before')
    expect((await again.refresh(next.refreshToken)).status).toBe(401)
    await again.close()
    expect(await (await started()).me(next)).toBe(401)
  })

  it('is shared by servers of the same data, also while both run', async () => {
    const { started } = dataFolder()
    const [one, other] = [await started(), await started()]
    const login = await one.login()
    expect(await other.me(login)).toBe(200)
    const both = await Promise.all([one, other].map((each) => each.refresh(login.refreshToken)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect([await one.me(login), await other.me(login)]).toEqual([401, 401])
  })

  it('keeps to a file of its owner’s, with no token in it, and none in the log or the data', async () => {
    const { started, folder, logins } = dataFolder()
    const { ask, login, lines } = await started()
    const { accessToken, refreshToken } = await login()
    const files = readdirSync(logins)
    expect(files.toSorted()).toEqual(['.gitignore', expect.stringMatching(/^logins-[0-9a-f]{16}\.json$/)])
    const path = join(logins, files.find((name) => name.endsWith('.json')) ?? '')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const db = (await ask('GET', '/db')).body
    const saved = readFileSync(path, 'utf8')
    for (const text of [
      saved,
      JSON.stringify(db),
      lines.join(),
      readFileSync(join(folder, 'db.json'), 'utf8'),
    ])
      for (const secret of [accessToken, refreshToken, SECRET]) expect(text).not.toContain(secret)
    for (const name of Object.keys(JSON.parse(saved))) expect(JSON.stringify(db)).not.toContain(name)
  })

  it.each<[string, StartOptions]>([
    ['without a secret', { accounts: {} }],
    ['where rows are not saved', { persist: false }],
    ['where nothing is written', { readOnly: true }],
  ])('ends them %s', async (_, options) => {
    const { started, logins } = dataFolder()
    const first = await started(options)
    const login = await first.login()
    expect(await first.me(login)).toBe(200)
    await first.close()
    expect(await (await started(options)).me(login)).toBe(401)
    expect(existsSync(logins)).toBe(false)
  })

  it('saves none of a session, and knows none of another source', async () => {
    const { started, folder, logins } = dataFolder()
    writeFileSync(join(folder, 'other.json'), JSON.stringify(MEMBERS))
    const first = await started()
    const inSession = await first.login(IN_A)
    expect(await first.me(inSession, IN_A)).toBe(200)
    const [file = ''] = readdirSync(logins).filter((name) => name.endsWith('.json'))
    expect(readFileSync(join(logins, file), 'utf8')).toBe('')
    const login = await first.login()
    await first.close()
    const again = await started()
    expect([await again.me(inSession, IN_A), await again.me(login)]).toEqual([401, 200])
    expect(await (await started({ source: join(folder, 'other.json') })).me(login)).toBe(401)
  })
})

describe('where the file', () => {
  it('cannot be, logins are in memory, and the start says so', async () => {
    const { started, logins } = dataFolder()
    writeFileSync(logins, 'in the way')
    const { login, me, lines } = await started()
    expect(await me(await login())).toBe(200)
    expect(lines.join()).toMatch(/logins end with a restart: .* cannot be written \(E/)
  })

  it('can no longer be written, nothing is spent and nobody is logged in or out', async () => {
    const { started, logins } = dataFolder()
    const { ask, login, refresh, me } = await started()
    const before = await login()
    const [file = ''] = readdirSync(logins).filter((name) => name.endsWith('.json'))
    // A folder in place of the lock: no server can get it.
    mkdirSync(join(logins, `${file}.lock`))
    const authorization = `Bearer ${before.accessToken}`
    const asked = [
      await ask('POST', '/login', { email: ADA.email, password: 'password-of-ada' }),
      await refresh(before.refreshToken),
      await ask('POST', '/logout', {}, { authorization }),
    ]
    expect(asked.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([503, 'WRITE_FAILED']))
    expect(await me(before)).toBe(200)
    rmdirSync(join(logins, `${file}.lock`))
    expect((await refresh(before.refreshToken)).status).toBe(200)
  })
})
