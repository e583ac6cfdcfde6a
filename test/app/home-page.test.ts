import request from 'supertest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { create, defaults, router, type StartOptions, start } from '../../src/index.ts'

async function serve(options: StartOptions = {}): Promise<string> {
  const server = await start({ data: { posts: [{ id: 1 }] }, ...options })
  onTestFinished(() => server.close())
  return server.url
}

async function assetOf(url: string): Promise<string> {
  const html = await (await fetch(url)).text()
  return `${url}/${/\.\/(__dashboard\/[\w-]+\.js)/.exec(html)?.[1]}`
}

describe('the page at /', () => {
  it('comes with a policy that allows nothing inline and nothing from elsewhere', async () => {
    const response = await fetch(await serve())
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const html = await response.text()
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
  })

  it.each(['/index.html', '/?from=docs', '/index.html?x'])('is at %s, too', async (path) => {
    const response = await fetch(new URL(path, await serve()))
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  it('is asked for again and answered with 304 while it is the same', async () => {
    const url = await serve()
    const { headers } = await request(url).get('/')
    await request(url).get('/').set('If-None-Match', String(headers.etag)).expect(304)
  })

  it('has files that may be kept for ever, since their name changes with their content', async () => {
    const response = await fetch(await assetOf(await serve()))
    expect(response.headers.get('content-type')).toContain('javascript')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
  })

  it.each(['api-key', 'bearer', 'jwt'])('opens with the %s layer on, and so do its files', async (layer) => {
    const url = await serve({ middlewares: [layer] })
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(await assetOf(url))).status).toBe(200)
  })

  it.each(['/__dashboard/', '/__dashboard/..%2f..%2fpackage.json', '/__dashboard/none.js', '/.built-from'])(
    'gives away nothing else: %s is a 404',
    async (path) => {
      const response = await fetch((await serve()) + path)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({})
    },
  )

  it('leaves the API alone: what is not the page has no policy', async () => {
    const response = await fetch(`${await serve()}/posts`)
    expect(response.headers.get('content-security-policy')).toBeNull()
  })

  it("comes with json-server's defaults() as well", async () => {
    const app = create()
    app.use(defaults({ logger: false }), router({ posts: [] }))
    const server = app.listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<title>restable</title>')
  })
})
