import type { Setup } from '../../support/oracle/servers.ts'
import { blog, mongo } from '../fixtures.ts'
import { type ContractCase, get, remove, send } from './table.ts'

/** Programs as json-server's users write them around the module. */
export const programs: readonly ContractCase[] = [
  {
    name: 'a router under a prefix',
    data: blog,
    setup: { mount: '/api' },
    steps: [
      get('/api/posts?_page=1&_limit=1'),
      get('/api/posts/1?_embed=comments'),
      get('/api/posts/1/comments'),
      send('POST', '/api/posts', { a: 1 }),
      send('PUT', '/api/profile', { a: 1 }),
      send('POST', '/api/profile', { a: 2 }),
      get('/api/db'),
      get('/api'),
      get('/api/nope'),
      remove('/api/notes/1'),
      get('/db', 'unrouted', {
        body: {},
        headers: { 'content-security-policy': undefined, 'x-content-type-options': undefined },
      }),
    ],
  },
  program('a render that wraps every answer', (_app, router) => {
    router.render = (_req, res) => {
      res.jsonp({ body: res.locals.data })
    }
  }),
  program('a render that changes the status', (_app, router) => {
    router.render = (_req, res) => {
      res.status(418).jsonp({ error: 'teapot', was: res.statusCode })
    }
  }),
  program('a middleware that reads and changes the body', (app, _router, { bodyParser }) => {
    app.use(bodyParser)
    app.use((req, _res, next) => {
      if (req.method === 'POST') req.body.createdAt = 1234
      next()
    })
  }),
  program('a middleware that changes the query', (app) => {
    app.use((req, _res, next) => {
      req.query._limit = '1'
      next()
    })
  }),
  program('a middleware that puts another query in its place', (app) => {
    app.use((req, _res, next) => {
      req.query = { views: '10' }
      next()
    })
  }),
  program('a middleware that sets headers', (app) => {
    app.use((_req, res, next) => {
      res.header('X-Hello', 'World')
      next()
    })
  }),
  program('a route of its own before the router', (app) => {
    app.get('/posts/latest', (req, res) => {
      res.jsonp({ own: true, query: req.query })
    })
    app.get('/echo', (req, res) => {
      res.jsonp(req.query)
    })
  }),
  program('a route that reads the data', (app, router) => {
    const db = Object(router.db)
    app.get('/echo', (_req, res) => {
      res.jsonp({
        read: [
          db.get('posts').find({ id: 2 }).value(),
          db.get('posts').getById('1').value(),
          db.get('posts').map('title').value(),
          db.get('comments').filter({ postId: 1 }).size().value(),
          db.get('profile.name').value(),
          db.has('nope').value(),
        ],
      })
    })
  }),
  program('a program that writes through the chain', (_app, router) => {
    const db = Object(router.db)
    db.get('posts').insert({ title: 'inserted', views: 3 }).write()
    db.get('posts').updateById(1, { views: 77 }).write()
    db.get('comments').removeById(2).write()
    db.set('profile.name', 'changed').write()
  }),
  program('rows added from outside', (_app, router) => {
    const { posts } = router.db.getState()
    if (Array.isArray(posts)) posts.push({ id: 30, title: 'pushed', views: 11 })
  }),
  program('other data set from outside', (_app, router) => {
    router.db.setState({ ...structuredClone(blog), posts: [{ id: 5, title: 'set', views: 1 }], comments: [] })
  }),
  program('data set aside and set again', (_app, router) => {
    const before = router.db.getState()
    router.db.setState({ posts: [] })
    router.db.setState(before)
  }),
  program('ids of its own making', (_app, router) => {
    router.db._.mixin({ createId: () => 'made-here' })
  }),
  {
    name: 'another primary key, set on the router',
    data: mongo,
    setup: {
      program: (_app, router) => {
        router.db._.id = '_id'
      },
    },
    steps: [
      get('/posts/2'),
      send('PUT', '/posts/2', { title: 'c' }),
      get('/posts'),
      get('/comments?_expand=post'),
    ],
  },
  {
    name: 'a middleware that exposes headers of its own',
    data: blog,
    setup: {
      program: (app) => {
        app.use((_req, res, next) => {
          res.header('Access-Control-Expose-Headers', 'X-Own')
          next()
        })
      },
    },
    steps: [
      get('/profile'),
      get('/posts?_limit=1', 'exposed-headers', {
        headers: { 'access-control-expose-headers': 'X-Own, X-Total-Count' },
      }),
    ],
  },
  {
    name: 'R29: a render that changes what it is given',
    data: blog,
    setup: {
      program: (_app, router) => {
        router.render = (_req, res) => {
          Reflect.deleteProperty(Object(res.locals.data), 'name')
          res.jsonp(res.locals.data)
        }
      },
    },
    steps: [get('/profile')],
    state: { id: 'render-copy', data: { profile: { name: 'typicode' } } },
  },
]

function program(name: string, write: NonNullable<Setup['program']>): ContractCase {
  return {
    name,
    data: blog,
    setup: { program: write },
    steps: [
      get('/posts?_limit=9'),
      get('/posts?views=9&_limit=9'),
      get('/posts/1'),
      get('/posts/99'),
      get('/posts/latest?a=1&a=2&b[c]=3'),
      get('/echo?x=1&y[]=2'),
      get('/profile'),
      get('/nope'),
      send('POST', '/posts', { title: 'new' }),
      send('PUT', '/posts/1', { title: 'put' }),
      send('PATCH', '/posts/2', { title: 'patch' }),
      remove('/notes/1'),
      get('/posts?_sort=title&_order=desc&_page=1&_limit=2'),
    ],
  }
}
