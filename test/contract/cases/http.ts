import { blog, shop } from '../fixtures.ts'
import { type ContractStep, get, type Readings } from './table.ts'

const origin = { origin: 'http://app.example' }

/** What `--no-cors` adds to every answer. */
const CLOSED = { headers: { 'cross-origin-resource-policy': 'same-origin' } }

const CHAIR = { id: 1, name: 'Chair', price: 19.99, company_id: 1 }

const heads = [
  '/posts',
  '/posts?_page=1&_limit=1',
  '/posts?_end=1',
  '/posts?views=9',
  '/posts/1',
  '/posts/9',
  '/profile',
  '/db',
  '/nope',
  '/posts/1/comments',
].map((path) => ({ method: 'HEAD', path }))

const preflights: readonly ContractStep[] = [
  { method: 'OPTIONS', path: '/posts' },
  { method: 'OPTIONS', path: '/posts/1' },
  { method: 'OPTIONS', path: '/nope' },
  { method: 'OPTIONS', path: '/posts', headers: origin },
  ...['GET', 'PUT', 'PATCH', 'DELETE', 'POST', 'PURGE'].map((wanted) => ({
    method: 'OPTIONS',
    path: '/posts/1',
    headers: { ...origin, 'access-control-request-method': wanted },
  })),
  ...['x-api-key', 'content-type, authorization', 'range', ''].map((wanted) => ({
    method: 'OPTIONS',
    path: '/posts',
    headers: { ...origin, 'access-control-request-method': 'GET', 'access-control-request-headers': wanted },
  })),
]

const crossOrigin = [
  '/posts',
  '/posts?_page=1&_limit=1',
  '/posts?_end=1',
  '/posts/1',
  '/posts/99',
  '/profile',
  '/posts/1/comments',
  '/posts/1/nope',
  '/db',
  '/nope',
].flatMap((path) => [
  { method: 'GET', path, headers: origin },
  { method: 'HEAD', path, headers: origin },
  { method: 'GET', path, headers: { origin: 'null' } },
])

const scripts = [
  '/posts?callback=cb',
  '/posts/1?callback=cb',
  '/profile?callback=cb',
  '/db?callback=cb',
  '/nope?callback=cb',
  '/posts/9?callback=cb',
  '/posts?callback=a.b[0]',
  '/posts?callback=alert(1)',
  '/posts?callback=',
  '/posts?callback=%3Cscript%3E',
  '/posts?callback[]=cb',
  '/posts?callback=cb&callback=other',
  '/posts?callback=cb&_=17&_limit=1',
  '/posts?callback=cb&_page=1&_limit=1',
].map((path) => get(path))

const accepts = ['text/html', 'application/xml', '*/*', 'image/png;q=0.5', ''].map((accept) => ({
  method: 'GET',
  path: '/posts/1',
  headers: { accept },
}))

/** What would mean every row is refused, and says how to mean some of them. */
const WHOLE_COLLECTION = {
  differs: { id: 'filtered-writes' as const, status: 400, code: 'INVALID_QUERY' },
}

const otherMethods = ['PUT', 'PATCH', 'DELETE'].flatMap((method) =>
  ['/posts', '/nope', '/nope/1', '/db', '/posts/1/comments', '/posts/1/notes/1', '/profile/1'].map(
    (path) => ({
      method,
      path,
      headers: { 'content-type': 'application/json' },
      body: '{}',
      ...(method !== 'PUT' && /^\/posts(?:\/1\/comments)?$/.test(path) && WHOLE_COLLECTION),
    }),
  ),
)

const postsNowhere = [
  '/nope',
  '/nope/1',
  '/db',
  '/posts/1',
  '/posts/1/comments/1',
  '/posts/1/nope',
  '/profile/1',
].map((path) => ({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }))

export const protocol: readonly Readings[] = [
  { title: 'HEAD', data: blog, steps: heads },
  { title: 'OPTIONS', data: blog, steps: preflights },
  { title: 'another origin', data: blog, steps: crossOrigin },
  { title: 'JSONP', data: blog, steps: scripts },
  { title: 'whatever Accept says', data: blog, steps: accepts },
  { title: 'methods that a path does not take', data: blog, steps: [...otherMethods, ...postsNowhere] },
  {
    title: 'compression',
    data: shop,
    steps: ['gzip', 'identity', 'gzip, deflate', 'br;q=0, gzip'].flatMap((encoding) =>
      ['/products', '/products/1', '/products?_page=2', '/db'].map((path) => ({
        method: 'GET',
        path,
        headers: { 'accept-encoding': encoding },
      })),
    ),
  },
  {
    title: 'without CORS and compression',
    data: shop,
    setup: { defaults: { noCors: true, noGzip: true } },
    steps: [
      { ...get('/products?_limit=2', 'no-cors', CLOSED), headers: { 'accept-encoding': 'gzip' } },
      ...['/products', '/products/1', '/products/1/companies', '/nope', '/db'].map((path) => ({
        ...get(path, 'no-cors', CLOSED),
        method: 'OPTIONS',
      })),
      get('/products/1', 'no-cors', CLOSED),
      get('/products/1?callback=show', 'no-cors', { ...CLOSED, body: CHAIR }),
    ],
  },
  {
    title: 'read only',
    data: blog,
    setup: { defaults: { readOnly: true } },
    steps: [
      get('/posts'),
      get('/posts/1'),
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
        method,
        path: method === 'POST' ? '/posts' : '/posts/1',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        differs: { id: 'read-only' as const, code: 'READ_ONLY' },
      })),
      {
        method: 'HEAD',
        path: '/posts',
        differs: {
          id: 'read-only',
          status: 200,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'x-content-type-options': 'nosniff',
            'x-total-count': '2',
          },
        },
      },
    ],
  },
  {
    title: 'headers that differ on every answer',
    data: blog,
    steps: [
      get('/profile', 'powered-by'),
      get('/posts', 'total-count', { headers: { 'x-total-count': '2' } }),
      get('/posts?_start=0&_end=1', 'content-range', { headers: { 'content-range': 'posts 0-0/2' } }),
      get('/posts?_page=99', 'empty-link', { headers: { link: undefined, 'x-total-count': '2' } }),
      {
        ...get('/posts?_page=1', 'exposed-headers', {
          headers: { 'access-control-expose-headers': 'X-Total-Count, Link, Location, Content-Range, ETag' },
        }),
        headers: origin,
      },
    ],
  },
]
