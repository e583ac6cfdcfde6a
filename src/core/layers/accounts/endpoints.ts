import type { Request } from 'express'
import {
  type Endpoint,
  type Endpoints,
  endpoints,
  OPEN,
  objectOf,
  TEXT,
} from '../../kernel/catalogue/endpoint.ts'
import type { RewriteUrl } from '../../kernel/http/request-url.ts'
import { plainPath } from '../parts/guard.ts'

/** The paths that may name an endpoint: the request's own, and the rewritten one. None where parsers may disagree. */
export function endpointPaths(req: Request, rewrite: RewriteUrl = () => req.url): readonly string[] {
  const { baseUrl, originalUrl } = req
  const own = plainPath(originalUrl)
  if (own === undefined || !own.startsWith(baseUrl)) return []
  const rewritten = plainPath(rewrite(originalUrl.slice(baseUrl.length)))
  return [own.slice(baseUrl.length), ...(rewritten === undefined ? [] : [rewritten])]
}

export const ACCOUNT_PATHS = {
  register: ['/register', '/signup', '/auth/register'],
  login: ['/login', '/signin', '/auth/login'],
  refresh: ['/refresh', '/auth/refresh', '/refresh-token'],
  logout: ['/logout', '/auth/logout'],
  me: ['/me', '/auth/me'],
} as const

export const JWT_LOGIN_PATHS = ['/login', '/auth/login'] as const

/** Whether a request logs in, below any path: these layers may be mounted anywhere. */
export function isLoginAttempt(req: Request, rewrite?: RewriteUrl): boolean {
  if (req.method !== 'POST') return false
  const paths = [plainPath(req.originalUrl), ...endpointPaths(req, rewrite)]
  return paths.some((path) => ACCOUNT_PATHS.login.some((login) => path?.endsWith(login)))
}

const PASSWORD = { ...TEXT, format: 'password' }
const EMAIL = { ...TEXT, format: 'email' }
const NEW_PASSWORD = { ...PASSWORD, minLength: 8 }
const TOKENS = { accessToken: TEXT, token: TEXT }
const LOGIN = objectOf({ ...TOKENS, refreshToken: TEXT, expiresIn: { type: 'integer' }, user: OPEN })
const JWT_LOGIN = objectOf({ ...TOKENS, expiresIn: { type: 'integer' }, user: OPEN })
const CREDENTIALS = {
  type: 'object',
  properties: { email: EMAIL, username: TEXT, password: TEXT },
  required: ['password'],
  anyOf: [{ required: ['email'] }, { required: ['username'] }],
}
const PROFILE = {
  ...OPEN,
  properties: {
    password: NEW_PASSWORD,
    currentPassword: { ...TEXT, description: 'To change the password; an admin needs none' },
  },
}
const refreshes = {
  body: {
    type: 'object',
    properties: { refreshToken: { ...TEXT, description: 'Not needed where cookies are on' } },
  },
  isBodyOptional: true,
}
const ofUsers = { errors: ['VALIDATION_FAILED', 'NOT_UNIQUE', 'WRITE_FAILED'] } as const

export const JWT_ENDPOINTS = atAllPaths(
  [JWT_LOGIN_PATHS],
  endpoints(
    { kind: 'login' },
    {
      login: [
        'POST /login',
        'Log in',
        { body: objectOf({ email: TEXT, password: PASSWORD }), gives: JWT_LOGIN },
      ],
    },
  ),
)

export const ACCOUNT_ENDPOINTS = atAllPaths(
  Object.values(ACCOUNT_PATHS),
  endpoints(
    { kind: 'login', gives: LOGIN },
    {
      getMe: ['GET /me', 'The user who is logged in', { kind: 'me', gives: OPEN }],
      register: [
        'POST /register',
        'Sign up',
        {
          kind: 'register',
          body: { ...objectOf({ email: EMAIL, password: NEW_PASSWORD }), additionalProperties: true },
          status: 201,
          ...ofUsers,
        },
      ],
      login: ['POST /login', 'Log in', { body: CREDENTIALS }],
      refresh: ['POST /refresh', 'New tokens for a refresh token, which is spent', refreshes],
      logout: [
        'POST /logout',
        'Log out: the tokens of this login are worthless from then on',
        { ...refreshes, kind: 'logout', gives: { type: 'object' } },
      ],
      changeMe: [
        'PATCH /me',
        'Change the user who is logged in',
        { kind: 'me', body: PROFILE, gives: OPEN, ...ofUsers },
      ],
    },
  ),
)

/** Each endpoint at all of its paths. */
function atAllPaths(lists: readonly (readonly string[])[], described: Endpoints): readonly Endpoint[] {
  return Object.values(described).flatMap((endpoint) => {
    const paths = lists.find((list) => list.includes(endpoint.path)) ?? []
    return paths.map((path) => ({ ...endpoint, path }))
  })
}
