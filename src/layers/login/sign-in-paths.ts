/** Where the layer `accounts` is asked for what. */
export const ACCOUNT_PATHS = {
  register: ['/register', '/signup', '/auth/register'],
  login: ['/login', '/signin', '/auth/login'],
  refresh: ['/refresh', '/auth/refresh', '/refresh-token'],
  logout: ['/logout', '/auth/logout'],
  me: ['/me', '/auth/me'],
} as const

/** Where the layer `jwt` logs users in. */
export const JWT_LOGIN_PATHS = ['/login', '/auth/login'] as const
