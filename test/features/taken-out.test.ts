import { expect, it, onTestFinished } from 'vitest'
import { LAYERS, type Layer } from '../../src/core/layers/list.ts'
import { endpointsIn, type Feature } from '../../src/features/feature.ts'
import { FEATURES } from '../../src/features/list.ts'
import { openWith } from '../../src/serve/open.ts'

const DATA = {
  posts: [
    { id: 1, title: 'b', views: 3 },
    { id: 2, title: 'a', views: 1 },
  ],
  comments: [{ id: 1, body: 'x', postId: 1 }],
  profile: { name: 'typicode' },
}

const REQUESTS = [
  ...[
    '/posts?_sort=title',
    '/posts/1?_embed=comments',
    '/comments?_expand=post',
    '/posts?views_gte=2&_page=1',
  ],
  ...['/profile', '/db', '/nowhere', '/posts?title_like=A&_strict=true', 'POST /posts', 'PUT /posts/2'],
  ...['PATCH /profile', 'DELETE /posts/1', 'DELETE /posts/9', 'POST /tags', '/posts?_status=abc', '/'],
]

/** Opens the service with some of its features. Resolves with how to send a request to it. */
async function serveWith(features: readonly Feature[]) {
  const server = await openWith({ data: structuredClone(DATA) }, async () => ({ members: {} }), features)
  onTestFinished(() => server.close())
  return async (request: string) => {
    const [path = '', method = 'GET'] = request.split(' ').toReversed()
    const isWrite = method !== 'GET' && method !== 'DELETE'
    const headers = { 'Content-Type': 'application/json' }
    const response = await server.fetch(path, {
      method,
      ...(isWrite && { headers, body: '{"title":"new","views":2}' }),
    })
    return { status: response.status, text: await response.text() }
  }
}

it.each(FEATURES.map((feature) => [feature.name, feature] as const))(
  'the service does without %s',
  async (_, feature) => {
    const whole = await serveWith(FEATURES)
    const ask = await serveWith(FEATURES.filter((other) => other !== feature))
    for (const request of REQUESTS) expect(await ask(request), request).toEqual(await whole(request))

    const own = endpointsIn([feature])
    const isOwn = (path: string) => own.some((endpoint) => endpoint.path === path)
    const { paths } = JSON.parse((await whole('/__openapi')).text)
    if (isOwn('/__openapi')) return expect((await ask('/__openapi')).status).toBe(404)
    const described = await ask('/__openapi')
    expect(described.status).toBe(200)
    expect(Object.keys(JSON.parse(described.text).paths)).toEqual(
      Object.keys(paths).filter((path) => !isOwn(path)),
    )
    // What the page asks for first.
    expect((await ask('/__service')).status).toBe(isOwn('/__service') ? 404 : 200)
    expect((await ask('/__schema')).status).toBe(200)
    for (const { method, path } of own) {
      if (method === 'get' && !path.includes('{')) expect((await ask(path)).status, path).toBe(404)
    }
  },
)

it('every layer with endpoints is among the features, which document and guard them', () => {
  const all = endpointsIn(FEATURES)
  for (const { endpoints = [] } of Object.values<Layer>(LAYERS)) {
    for (const endpoint of endpoints) expect(all).toContain(endpoint)
  }
})
