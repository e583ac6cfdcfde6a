import { beforeAll, describe, expect, it } from 'vitest'
import { describeApi, type OpenApiDocument, type StartOptions } from '../../../../src/index.ts'

const DATA = {
  users: [{ id: 1, email: 'ada@example.com', password: 'lovelace', role: 'admin' }],
  products: [{ id: 1, name: 'Desk' }],
  orders: [{ id: 1, product_id: 1, user_id: 1 }],
  drafts: [{ id: 1, user_id: 1 }],
}

const SETTINGS = {
  middlewares: ['accounts'],
  resources: {
    products: { access: { read: 'anyone', create: 'role:admin', update: ['owner', 'role:admin'] } },
    orders: { access: 600, owner: 'buyer_id' },
  },
} satisfies StartOptions

async function documentOf(options: StartOptions): Promise<OpenApiDocument> {
  return (await describeApi({ data: structuredClone(DATA), foreignKeySuffix: '_id', ...options })).openapi()
}

interface Shown {
  readonly security: readonly object[]
  /** What the document says of a status; undefined if nothing. */
  on(status: number): string | undefined
}

function operation(document: OpenApiDocument, method: string, path: string): Shown {
  const { security, responses } = Object(document.paths[path]?.[method])
  const components: Record<string, { description: string }> = Object(document.components.responses)
  return {
    security,
    on: (status) => components[String(responses[status]?.$ref).split('/').at(-1) ?? '']?.description,
  }
}

describe('the document of a server with accounts', () => {
  let document: OpenApiDocument
  beforeAll(async () => {
    document = await documentOf(SETTINGS)
  })

  it.each(['get', 'patch'])('says that the rules of the users hold for %s /me', async (method) => {
    const access = { read: 'role:admin', update: 'role:admin' } as const
    const guarded = await documentOf({ middlewares: ['accounts'], resources: { users: { access } } })
    expect(operation(guarded, method, '/me').on(403)).toContain('keep you from your own row')
    expect(operation(document, method, '/me').on(403) ?? '').not.toContain('keep you')
  })

  it.each<[string, string, login: string | undefined, more: string | undefined]>([
    ['get', '/products', undefined, undefined],
    ['get', '/products/{id}', undefined, undefined],
    ['post', '/products', 'only admins can create', 'only admins can create'],
    [
      'patch',
      '/products/{id}',
      'only the owner and admins can update',
      'only the owner and admins can update',
    ],
    ['patch', '/products', 'only the owner and admins can update', 'only the owner and admins can update'],
    ['put', '/products/{id}', 'only admins can create', 'only admins can create'],
    ['delete', '/products/{id}', 'only logged-in users can delete', 'deleted along is not yours'],
    ['get', '/orders', 'only the owner can read', 'only the owner can read'],
    ['post', '/orders', 'only the owner can create', 'only the owner can create'],
    ['get', '/products/{id}/orders', 'only the owner can read', 'only the owner can read'],
    ['patch', '/products/{id}/orders/{childId}', 'only the owner can update', 'only the owner can update'],
    ['get', '/drafts', undefined, undefined],
    ['post', '/drafts', 'only logged-in users can create', undefined],
    ['get', '/users', 'only logged-in users can read', undefined],
    ['post', '/users', 'nobody can create', 'nobody can create'],
    ['get', '/db', undefined, undefined],
    ['get', '/me', 'not logged in', undefined],
    ['patch', '/me', 'not logged in', 'only an admin may change a role'],
    ['post', '/__undo', 'only admins can do this', 'only admins can do this'],
    [
      'post',
      '/__reset',
      'only admins can do this, except in a session',
      'only admins can do this, except in a session',
    ],
    [
      'get',
      '/__clock',
      'only admins can do this, except in a session',
      'only admins can do this, except in a session',
    ],
    ['get', '/__sessions', 'only admins can do this', 'only admins can do this'],
    ['get', '/__history', 'only admins can do this', 'only admins can do this'],
    ['get', '/__changes', 'only admins can do this', 'only admins can do this'],
    ['get', '/__service', undefined, undefined],
  ])('says who may %s %s', (method, path, login, more) => {
    const { security, on } = operation(document, method, path)
    expect(security).toEqual(login === undefined ? [] : [{ accounts: [] }])
    if (login === undefined) expect(on(401)).toBe('`AUTH_REQUIRED`: the token has expired, or is not good')
    else expect(on(401)).toContain(login)
    if (more === undefined) expect(on(403) ?? '').not.toContain('AUTH_FORBIDDEN')
    else expect(on(403)).toContain(more)
  })

  it('says whose access decides where a rule follows a key', async () => {
    const access = { read: 'via:product_id', update: ['via:product_id', 'role:admin'] }
    const products = { access: { read: 'signed-in', update: 'signed-in' } } as const
    const following = await documentOf({ ...SETTINGS, resources: { orders: { access }, products } })
    const { on } = operation(following, 'patch', '/orders')
    expect(on(403)).toContain('only admins and users who can update the row that product_id names can update')
    expect(operation(following, 'get', '/orders').on(401)).toContain(
      'only users who can read the row that product_id names can read',
    )
  })

  it('asks for no login where a rule follows a key to rows that are open to everybody', async () => {
    const access = { read: 'via:product_id', create: 'via:product_id' } as const
    const resources = { orders: { access }, products: { access: { update: 'anyone' } } } as const
    const following = await documentOf({ ...SETTINGS, resources })
    const [read, create] = ['get', 'post'].map((method) => operation(following, method, '/orders'))
    // A token shows more of them.
    expect([read?.security, create?.security]).toEqual(Array(2).fill([{}, { accounts: [] }]))
    expect(read?.on(401)).toBe('`AUTH_REQUIRED`: the token has expired, or is not good')
    expect(read?.on(403) ?? '').not.toContain('AUTH_FORBIDDEN')
    expect(create?.on(401)).toContain('users who can update the row that product_id names can create')
    expect(operation(following, 'delete', '/orders/{id}').security).toEqual([{ accounts: [] }])
  })

  it.each(['/register', '/login', '/refresh', '/logout'])('asks for no token at %s', (path) => {
    expect(operation(document, 'post', path).security).toEqual([])
  })

  it('names the cookie and the header to act as somebody else only where they are on', async () => {
    const text = JSON.stringify(document)
    expect(text).not.toMatch(/access_token|X-Mock-User"|Set-Cookie/)
    const more = await documentOf({ ...SETTINGS, accounts: { cookies: true, persona: true } })
    expect(operation(more, 'get', '/me').security).toEqual([{ accounts: [] }, { 'accounts-cookie': [] }])
    expect(more.components.securitySchemes).toMatchObject({
      accounts: { type: 'http', scheme: 'bearer' },
      'accounts-cookie': { type: 'apiKey', in: 'cookie', name: 'access_token' },
    })
    expect(more.components).toHaveProperty(['parameters', 'X-Mock-User'])
    expect(more.components).toHaveProperty(['headers', 'Set-Cookie'])
  })

  it('leaves the server itself to admins where no resource has rules, too', async () => {
    const { security, on } = operation(await documentOf({ middlewares: ['accounts'] }), 'post', '/__undo')
    expect(security).toEqual([{ accounts: [] }])
    expect(on(403)).toContain('`AUTH_FORBIDDEN`: only admins can do this')
  })

  it('leaves it to everybody where there are no accounts', async () => {
    const { security, on } = operation(await documentOf({ middlewares: [] }), 'post', '/__undo')
    expect(security).toEqual([])
    expect(on(403)).not.toContain('AUTH_FORBIDDEN')
  })
})
