import { blog, shop } from '../fixtures.ts'
import { get, type Readings, send } from './table.ts'

const shopRules = {
  '/api/v1/*': '/$1',
  '/api/products/search/:term': '/products?name_like=:term',
  '/api/companies/:id/full': '/companies/:id?_embed=products',
  '/goods/:id': '/products/:id',
  '/goods': '/products',
  '/by/:field/:value': '/products?:field=:value',
  '/:resource/:id/show': '/:resource/:id',
  '/cheap': '/products?price_lte=10',
  '/old\\?id=:id': '/products/:id',
}

/** Rewrite rules, each of the forms that the documents use. */
export const rewrites: readonly Readings[] = [
  {
    title: 'rewrite rules',
    data: shop,
    setup: { foreignKeySuffix: '_id', rules: shopRules },
    steps: [
      ...[
        '/__rules',
        '/api/v1/products',
        '/api/v1/products/1',
        '/api/v1/products?_limit=2',
        '/api/v1/products?_sort=price&_order=desc&_end=2',
        '/api/v1/companies/1/products',
        '/api/v1/',
        '/api/v1',
        '/api/v1/nope',
        '/api/v1/db',
        '/api/products/search/chair',
        '/api/products/search/xl',
        '/api/products/search/nothing',
        '/api/companies/1/full',
        '/api/companies/4/full',
        '/api/companies/99/full',
        '/goods',
        '/goods/3',
        '/goods/99',
        '/by/company_id/2',
        '/by/name/Chair',
        '/products/3/show',
        '/companies/2/show',
        '/cheap',
        '/old?id=4',
        '/products',
        '/companies/1',
        '/nope',
      ].map((path) => get(path)),
      { method: 'HEAD', path: '/api/v1/products' },
      send('PUT', '/api/v1/products/99', {}),
    ],
  },
  {
    title: 'R22: rules and the query of the client',
    data: blog,
    setup: { rules: { '/posts/by/:title': '/posts?title=:title', '/apps': '/posts' } },
    steps: [
      get('/posts/by/json-server'),
      get('/apps'),
      get('/apps?views=9', 'rewrite-query', {
        status: 200,
        body: Array.isArray(blog.posts) ? [blog.posts[0]] : [],
      }),
      get('/posts/by/json-server?views=9', 'rewrite-query', {
        status: 200,
        body: Array.isArray(blog.posts) ? [blog.posts[0]] : [],
      }),
    ],
  },
]
