import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunningServer } from '../../src/index.ts'
import { codeOf } from '../support/docs/code-of.ts'
import { startShop } from '../support/docs/start-shop.ts'
import { type Installed, installClients } from '../support/package/install.ts'
import { type DataProvider, ids } from './support/react-admin.ts'

const PAGE = 'docs/recipes.md'
const ALAN = 'alan@example.com'

let server: RunningServer
/** The paths that were asked for, in order. */
let asked: string[]

beforeEach(async () => {
  server = await startShop()
  asked = []
  server.use((req, _res, next) => {
    asked.push(req.path)
    next()
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

/** As much of a browser's as is used here. */
class Storage {
  readonly #values = new Map<string, string>()
  getItem = (name: string) => this.#values.get(name) ?? null
  setItem = (name: string, value: string) => void this.#values.set(name, value)
  removeItem = (name: string) => void this.#values.delete(name)
}

/** Runs the program of a page, with packages for its imports, and returns what it exports. */
function runShown<T>(
  heading: string,
  packages: Readonly<Record<string, unknown>>,
  storage = new Storage(),
): T {
  const code = codeOf(PAGE, heading, 'js').replace('http://localhost:3000', server.url)
  const exported = [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name)
  const program = code
    .replace(/^import (.+) from '(.+)'$/gm, (_, names, name) => `const ${names} = packages['${name}']`)
    .replace(/^export /gm, '')
  const run = new Function('packages', 'localStorage', `${program}\nreturn { ${exported.join()} }`)
  return run(packages, storage)
}

/** Fifteen minutes pass, for the client and for the server. */
function letTokensExpire(): void {
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 15 * 60_000)
}

/** The token of the request that was sent last, and of everything that belongs to its login, is worthless. */
async function endLogin(storage: Storage): Promise<void> {
  const { token } = JSON.parse(storage.getItem('auth') ?? '{}')
  await fetch(`${server.url}/logout`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
}

const refreshes = () => asked.filter((path) => path === '/refresh').length

describe('the authProvider for react-admin of the docs', () => {
  let client: Installed
  beforeAll(async () => {
    client = await installClients('react')
  }, 240_000)

  interface Shown {
    readonly authProvider: Record<
      'login' | 'logout' | 'checkAuth' | 'checkError' | 'getIdentity' | 'getPermissions',
      (params?: object) => Promise<unknown>
    >
    readonly dataProvider: DataProvider
  }
  let storage: Storage
  let shown: Shown

  beforeEach(() => {
    storage = new Storage()
    const packages = {
      'react-admin': client.require('ra-core'),
      'ra-data-json-server': client.require('ra-data-json-server'),
    }
    shown = runShown('react-admin with a login', packages, storage)
  })

  const logIn = () => shown.authProvider.login({ username: ALAN, password: 'bletchley' })

  it('logs in, knows who that is, and shows their own rows', async () => {
    await expect(shown.authProvider.checkAuth()).rejects.toThrow('Log in first')
    await logIn()
    await shown.authProvider.checkAuth()
    expect(await shown.authProvider.getIdentity()).toEqual({ id: 2, fullName: 'Alan' })
    expect(await shown.authProvider.getPermissions()).toBe('user')
    expect(await shown.dataProvider.getList('orders', {})).toEqual({ data: ids(1, 3), total: 2 })
    await expect(shown.dataProvider.getOne('orders', { id: 2 })).rejects.toMatchObject({ status: 404 })
  })

  it("hands its form the server's message when the password is wrong", async () => {
    const refused = shown.authProvider.login({ username: ALAN, password: 'wrong' })
    await expect(refused).rejects.toThrow('Email or password is wrong.')
    await expect(shown.authProvider.checkAuth()).rejects.toThrow()
  })

  it('refreshes a token that has expired, once for all requests', async () => {
    await logIn()
    letTokensExpire()
    const lists = Array.from({ length: 5 }, () => shown.dataProvider.getList('orders', {}))
    const answers = await Promise.all([...lists, shown.authProvider.getIdentity()])
    expect(answers[0]).toEqual({ data: ids(1, 3), total: 2 })
    expect(refreshes()).toBe(1)
    await shown.dataProvider.getOne('orders', { id: 1 })
    expect(refreshes()).toBe(1)
  })

  it('shows a 403, and the user stays', async () => {
    await logIn()
    const update = { id: 1, data: { price: 1 }, previousData: { id: 1 } }
    const error = await shown.dataProvider.update('products', update).catch((fault: object) => fault)
    expect(error).toMatchObject({ status: 403, message: 'Only admins can update products.' })
    await shown.authProvider.checkError(error)
    await shown.authProvider.checkAuth()
  })

  it('asks for a new login when the server has ended it', async () => {
    await logIn()
    await endLogin(storage)
    const error = await shown.dataProvider.getList('orders', {}).catch((fault: object) => fault)
    await expect(shown.authProvider.checkError(Object(error))).rejects.toThrow('Your login has ended')
    letTokensExpire()
    await expect(shown.authProvider.checkAuth()).rejects.toThrow('Log in first')
  })

  it('logs out here and on the server', async () => {
    await logIn()
    const { token } = JSON.parse(storage.getItem('auth') ?? '{}')
    await shown.authProvider.logout()
    await expect(shown.authProvider.checkAuth()).rejects.toThrow('Log in first')
    const me = await fetch(`${server.url}/me`, { headers: { Authorization: `Bearer ${token}` } })
    expect(me.status).toBe(401)
  })
})

describe('the authProvider for refine of the docs', () => {
  let client: Installed
  beforeAll(async () => {
    client = await installClients('axios')
  }, 240_000)

  interface Shown {
    readonly authProvider: Record<
      'login' | 'register' | 'logout' | 'check' | 'onError' | 'getIdentity' | 'getPermissions',
      (params?: object) => Promise<unknown>
    >
    readonly provider: Record<
      'getList' | 'getOne' | 'update' | 'create',
      (params: object) => Promise<unknown>
    >
  }
  let storage: Storage
  let shown: Shown

  beforeEach(() => {
    storage = new Storage()
    const packages = {
      '@refinedev/simple-rest': client.require('@refinedev/simple-rest').default,
      axios: client.require('axios'),
    }
    shown = runShown('refine with a login', packages, storage)
  })

  const logIn = () => shown.authProvider.login({ email: ALAN, password: 'bletchley' })
  const orders = () => shown.provider.getList({ resource: 'orders' })

  it('logs in, knows who that is, and shows their own rows', async () => {
    expect(await shown.authProvider.check()).toMatchObject({ authenticated: false })
    expect(await logIn()).toEqual({ success: true, redirectTo: '/' })
    expect(await shown.authProvider.check()).toEqual({ authenticated: true })
    expect(await shown.authProvider.getIdentity()).toMatchObject({ id: 2, name: 'Alan', role: 'user' })
    expect(await shown.authProvider.getPermissions()).toBe('user')
    expect(await orders()).toEqual({ data: ids(1, 3), total: 2 })
  })

  it('signs up, and is that user', async () => {
    const linus = { email: 'linus@example.com', password: 'penguins' }
    expect(await shown.authProvider.register(linus)).toMatchObject({ success: true })
    expect(await shown.authProvider.getIdentity()).toMatchObject({ id: 4, email: linus.email, role: 'user' })
    await shown.provider.create({ resource: 'orders', variables: { product_id: 1 } })
    expect(await orders()).toEqual({ data: [expect.objectContaining({ user_id: 4 })], total: 1 })
    expect(await shown.authProvider.register(linus)).toMatchObject({
      success: false,
      error: { message: expect.stringContaining('email is already taken') },
    })
  })

  it("hands its form the server's message when the password is wrong", async () => {
    expect(await shown.authProvider.login({ email: ALAN, password: 'wrong' })).toEqual({
      success: false,
      error: { name: 'Login', message: 'Email or password is wrong.' },
    })
    expect(await shown.authProvider.check()).toMatchObject({ authenticated: false })
  })

  it('refreshes a token that has expired, once for all requests, and sends them again', async () => {
    await logIn()
    letTokensExpire()
    const answers = await Promise.all([orders(), orders(), orders(), shown.authProvider.getIdentity()])
    expect(answers[2]).toEqual({ data: ids(1, 3), total: 2 })
    expect(refreshes()).toBe(1)
    await orders()
    expect(refreshes()).toBe(1)
  })

  it('shows a 403, and the user stays', async () => {
    await logIn()
    const update = { resource: 'products', id: 1, variables: { price: 1 } }
    const error = await shown.provider.update(update).catch((fault: object) => fault)
    expect(error).toMatchObject({ statusCode: 403, message: 'Only admins can update products.' })
    expect(await shown.authProvider.onError(Object(error))).toEqual({ error })
    expect(await shown.authProvider.check()).toEqual({ authenticated: true })
  })

  it('asks for a new login when the server has ended it', async () => {
    await logIn()
    await endLogin(storage)
    const error = await orders().catch((fault: object) => fault)
    expect(await shown.authProvider.onError(Object(error))).toMatchObject({ logout: true })
    expect(await shown.authProvider.check()).toMatchObject({ authenticated: false })
  })

  it('logs out here and on the server', async () => {
    await logIn()
    const { token } = JSON.parse(storage.getItem('auth') ?? '{}')
    expect(await shown.authProvider.logout()).toMatchObject({ success: true })
    expect(await shown.authProvider.check()).toMatchObject({ authenticated: false })
    const me = await fetch(`${server.url}/me`, { headers: { Authorization: `Bearer ${token}` } })
    expect(me.status).toBe(401)
  })
})
