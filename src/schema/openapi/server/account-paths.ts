import { objectOf } from '../contents.ts'
import type { Operations, PathItem, Wanted } from '../operations.ts'
import { isThere } from '../tables/deeds.ts'

const TEXT = { type: 'string' }
const PASSWORD = { ...TEXT, format: 'password', minLength: 8 }
const EMAIL = { ...TEXT, format: 'email' }
const USER = { type: 'object', additionalProperties: true }

const LOGIN = objectOf({
  accessToken: TEXT,
  token: TEXT,
  refreshToken: TEXT,
  expiresIn: { type: 'integer' },
  user: USER,
})

const CREDENTIALS = {
  type: 'object',
  properties: { email: EMAIL, username: TEXT, password: TEXT },
  required: ['password'],
  anyOf: [{ required: ['email'] }, { required: ['username'] }],
}

const PROFILE = {
  type: 'object',
  properties: {
    password: PASSWORD,
    currentPassword: { ...TEXT, description: 'To change the password; an admin needs none' },
  },
  additionalProperties: true,
}

const REFRESH = {
  type: 'object',
  properties: { refreshToken: { ...TEXT, description: 'Not needed where cookies are on' } },
}

type Described = readonly [paths: readonly string[], method: string, wanted: Omit<Wanted, 'path' | 'tag'>]

const DESCRIBED: readonly Described[] = [
  [
    ['/me', '/auth/me'],
    'get',
    { deed: 'me', id: 'getMe', summary: 'The user who is logged in', answer: { schema: USER } },
  ],
  [
    ['/register', '/signup', '/auth/register'],
    'post',
    {
      deed: 'register',
      id: 'register',
      summary: 'Sign up',
      body: { schema: { ...objectOf({ email: EMAIL, password: PASSWORD }), additionalProperties: true } },
      answer: { schema: LOGIN, status: 201 },
    },
  ],
  [
    ['/login', '/signin', '/auth/login'],
    'post',
    {
      deed: 'login',
      id: 'login',
      summary: 'Log in',
      body: { schema: CREDENTIALS },
      answer: { schema: LOGIN },
    },
  ],
  [
    ['/refresh', '/auth/refresh', '/refresh-token'],
    'post',
    {
      deed: 'login',
      id: 'refresh',
      summary: 'New tokens for a refresh token, which is spent',
      body: { schema: REFRESH },
      isBodyOptional: true,
      answer: { schema: LOGIN },
    },
  ],
  [
    ['/logout', '/auth/logout'],
    'post',
    {
      deed: 'logout',
      id: 'logout',
      summary: 'Log out: the tokens of this login are worthless from then on',
      body: { schema: REFRESH },
      isBodyOptional: true,
      answer: { schema: { type: 'object' } },
    },
  ],
  [
    ['/me', '/auth/me'],
    'patch',
    {
      deed: 'changeMe',
      id: 'changeMe',
      summary: 'Change the user who is logged in',
      body: { schema: PROFILE },
      answer: { schema: USER },
    },
  ],
]

export function accountPaths(operations: Operations, tag: string): [string, PathItem][] {
  const items = new Map<string, PathItem>()
  for (const [paths, method, wanted] of DESCRIBED) {
    if (!isThere(wanted.deed, operations.settings)) continue
    for (const path of paths) {
      const operation = operations.make({ ...wanted, path, tag })
      items.set(path, { ...items.get(path), [method]: operation })
    }
  }
  return [...items]
}
