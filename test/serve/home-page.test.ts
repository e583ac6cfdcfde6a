import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { create, defaults, rewriter, router, type StartOptions, start } from '../../src/index.ts'
import { fileOf, folderOf } from '../support/folder.ts'
import { serve } from '../support/http/serve.ts'
import { serving } from '../support/http/serving.ts'

async function urlOf(options: StartOptions = {}): Promise<string> {
  const { url } = await serve({ data: { posts: [{ id: 1 }] }, ...options })
  return url
}

async function assetOf(url: string): Promise<string> {
  const html = await (await fetch(url)).text()
  return `${url}/${/\.\/(__dashboard\/[\w-]+\.js)/.exec(html)?.[1]}`
}

describe('the page at /', () => {
  it('comes with a policy that allows nothing inline and nothing from elsewhere', async () => {
    const response = await fetch(await urlOf())
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
    const response = await fetch(new URL(path, await urlOf()))
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  it('is revalidated, with 304 while unchanged', async () => {
    const url = await urlOf()
    const { headers } = await request(url).get('/')
    await request(url).get('/').set('If-None-Match', String(headers.etag)).expect(304)
  })

  it('has files that may be cached forever, since their name changes with their content', async () => {
    const response = await fetch(await assetOf(await urlOf()))
    expect(response.headers.get('content-type')).toContain('javascript')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
  })

  it.each(['api-key', 'bearer', 'jwt'])('opens with the %s layer on, and so do its files', async (layer) => {
    const url = await urlOf({ middlewares: [layer] })
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(await assetOf(url))).status).toBe(200)
  })

  it.each(['/__dashboard/', '/__dashboard/..%2f..%2fpackage.json', '/__dashboard/none.js', '/.built-from'])(
    'gives away nothing else: %s is a 404',
    async (path) => {
      const response = await fetch((await urlOf()) + path)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({})
    },
  )

  it('leaves the API alone: what is not the page has no policy', async () => {
    const response = await fetch(`${await urlOf()}/posts`)
    expect(response.headers.get('content-security-policy')).toBeNull()
  })

  describe('at /__page', () => {
    async function ownFiles(): Promise<string> {
      const folder = folderOf()
      await mkdir(join(folder, '__dashboard'))
      for (const name of ['index.html', '__page', '__page.html', '__dashboard/index.html']) {
        await writeFile(join(folder, name), 'my own')
      }
      return folder
    }

    it('is the same as at /, with files of the same name in front', async () => {
      const page = await (await fetch(await urlOf())).text()
      const url = await urlOf({ static: await ownFiles() })
      expect(await (await fetch(url)).text()).toBe('my own')
      for (const path of ['/__page', '/__page?from=docs', '/__page/?a=1']) {
        const response = await fetch(url + path)
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
        expect(response.headers.get('cache-control')).toBe('no-cache')
        expect(await response.text()).toBe(page)
      }
      const asset = /\.\/(__dashboard\/[\w-]+\.js)/.exec(page)?.[1]
      expect((await fetch(`${url}/${asset}`)).headers.get('content-type')).toContain('javascript')
    })

    it.each(['api-key', 'bearer', 'jwt', 'rate-limit'])('opens with the %s layer on', async (layer) => {
      expect((await fetch(`${await urlOf({ middlewares: [layer] })}/__page`)).status).toBe(200)
    })

    it('is not reached through a rewrite rule, nor hidden by one', async () => {
      const routes = fileOf('{ "/public/*": "/$1", "/__page": "/posts", "/x": "/__page" }', 'routes.json')
      const url = await urlOf({ routes })
      expect((await fetch(`${url}/public/__page`)).headers.get('content-type')).toContain('json')
      expect((await fetch(`${url}/x`)).headers.get('content-type')).toContain('json')
      expect((await fetch(`${url}/__page`)).headers.get('content-type')).toContain('html')
    })

    it('is not reached through a rewriter in front of defaults() either', async () => {
      const url = await serving(
        create().use(rewriter({ '/public/*': '/$1' }), defaults({ logger: false }), router({ posts: [] })),
      )
      expect((await fetch(`${url}/public/__page`)).status).toBe(404)
      expect((await fetch(`${url}/__page`)).status).toBe(200)
    })

    it('is found below the path that a custom app is mounted at', async () => {
      const url = await serving(create().use('/api', defaults({ logger: false }), router({ posts: [] })))
      expect((await fetch(`${url}/api/__page`)).headers.get('content-type')).toContain('html')
      expect((await fetch(`${url}/api/__page/`)).url).toBe(`${url}/api/__page`)
    })

    it('is for reading only', async () => {
      const url = await urlOf()
      expect((await fetch(`${url}/__page`, { method: 'HEAD' })).status).toBe(200)
      expect((await fetch(`${url}/__page`, { method: 'POST' })).status).toBe(404)
      const { headers } = await request(url).get('/__page')
      await request(url).get('/__page').set('If-None-Match', String(headers.etag)).expect(304)
    })

    it('is what a server reports as its page if / is taken', async () => {
      const plain = await start({ data: {} })
      const own = await start({ data: {}, static: await ownFiles() })
      const second = await start({ data: {}, static: [tmpdir(), await ownFiles()] })
      onTestFinished(async () => void (await Promise.all([plain.close(), own.close(), second.close()])))
      expect(plain.page).toBe(plain.url)
      expect(second.page).toBe(`${second.url}/__page`)
      expect(own.page).toBe(`${own.url}/__page`)
    })
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
