import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import express from 'express'
import { expect, it } from 'vitest'
import { openApi } from '../../support/http/serve.ts'
import { serving } from '../../support/http/serving.ts'
import { fileIn, formOf, PNG, rowIn, serveUploads } from './forms.ts'

it('are stored without an origin, and sent with that of the request', async () => {
  const { server, send, folder } = await serveUploads()
  const { row } = await send('POST', '/posts', formOf(['f', ['x', 'x.txt']]))
  const { url } = fileIn(row.f)
  const { pathname } = new URL(url)
  const stored = JSON.parse(await readFile(join(folder, 'db.json'), 'utf8'))
  expect(stored.posts[1].f.url).toBe(pathname)

  const on = async (origin: string, path: string) =>
    (await (await fetch(`${origin}${path}`)).json()) as unknown
  const origins = [server.url, `http://127.0.0.1:${server.port}`]
  // Three times each: the last responses are kept ones.
  for (const origin of [...origins, ...origins, ...origins]) {
    expect(await on(origin, '/posts/2')).toMatchObject({ f: { url: `${origin}${pathname}` } })
    expect(await on(origin, '/posts?_sort=id')).toMatchObject([{}, { f: { url: `${origin}${pathname}` } }])
    expect(await on(origin, '/db')).toMatchObject({ posts: [{}, { f: { url: pathname } }] })
  }
  expect(JSON.stringify(await on(server.url, '/__history'))).not.toContain(url)
  expect(JSON.stringify(await on(server.url, '/__changes?since=0').catch(() => ''))).not.toContain(url)
})

it('are found, and stored, whatever stands before them; longer texts stay', async () => {
  const { server, send } = await serveUploads()
  const { row } = await send('POST', '/posts', formOf(['f', ['x', 'x.txt']]))
  const { url } = fileIn(row.f)
  const { pathname } = new URL(url)
  const count = async (query: string) =>
    ((await (await fetch(`${server.url}/posts?${query}`)).json()) as []).length
  for (const one of [url, pathname, `https://other.example/api${pathname}`]) {
    const value = encodeURIComponent(one)
    expect(await count(`f.url=${value}`)).toBe(1)
    expect(await count(`f.url_in=x,${value}`)).toBe(1)
    expect(await count(`f.url_ne=${value}`)).toBe(0)
    expect(await count(`_where=${encodeURIComponent(JSON.stringify({ 'f.url': one }))}`)).toBe(1)
    expect(await count(`filter=${encodeURIComponent(JSON.stringify({ f: { url: one } }))}`)).toBe(1)
  }
  const text = `See ${url} and [it](${url})`
  const sent = await send('PUT', '/posts/1', { same: url, text, list: [{ url }], [url]: 1 })
  expect(sent.row).toEqual({ id: 1, same: url, text, list: [{ url }], [url]: 1 })
  const db = (await (await fetch(`${server.url}/db`)).json()) as { posts: unknown[] }
  expect(db.posts[0]).toEqual({ id: 1, same: pathname, text, list: [{ url: pathname }], [url]: 1 })
  const headers = { 'content-type': 'application/json-patch+json' }
  const body = JSON.stringify([{ op: 'test', path: '/same', value: url }])
  expect((await fetch(`${server.url}/posts/1`, { method: 'PATCH', headers, body })).status).toBe(200)
})

it('leave ETags those of the stored row', async () => {
  const { server, send } = await serveUploads()
  const { headers } = await send('POST', '/posts', formOf(['f', ['x', 'x.txt']]))
  const etag = headers.get('etag') ?? ''
  const other = await fetch(`http://127.0.0.1:${server.port}/posts/2`)
  expect(other.headers.get('etag')).toBe(etag)
  const init = { headers: { 'content-type': 'application/json', 'if-match': etag }, body: '{"title":"b"}' }
  expect((await send('PATCH', '/posts/2', init)).status).toBe(200)
  expect((await send('PATCH', '/posts/2', init)).status).toBe(412)
})

it('are sent in long lists, in lists with relations, in a script and in a shape', async () => {
  const hash = 'b'.repeat(32)
  const posts = Array.from({ length: 30_000 }, (_, id) => ({
    id,
    companyId: 9,
    url: `/uploads/${hash}/${'n'.repeat(id % 90)}.png`,
  }))
  const { server } = await serveUploads({}, { posts, companies: [{ id: 9 }] })
  const all = posts.map(({ url }) => `${server.url}${url}`)
  const urlsAt = async (path: string) =>
    ((await (await fetch(`${server.url}${path}`)).json()) as { url: string }[]).map(({ url }) => url)
  expect(await urlsAt('/posts')).toEqual(all)
  expect(await urlsAt('/posts?_expand=company')).toEqual(all)
  const script = await (await fetch(`${server.url}/posts?_limit=1&callback=show`)).text()
  expect(script).toContain(`"${all[0]}"`)
  const shaped = await serveUploads({ wrap: 'data' }, { posts: posts.slice(0, 1) })
  const one = (await (await fetch(`${shaped.server.url}/posts/0`)).json()) as { data: { url: string } }
  expect(one.data.url).toBe(`${shaped.server.url}${posts[0]?.url}`)
})

it('keep the path where a server is mounted, and its files are there', async () => {
  const api = await openApi({ data: { posts: [] }, uploads: true })
  const app = express()
  app.use('/api', api.handler)
  const root = await serving(app)
  const created = await fetch(`${root}/api/posts`, { method: 'POST', body: formOf(['f', [PNG, 'p.png']]) })
  const { url } = fileIn((await rowIn(created)).f)
  expect(url).toMatch(new RegExp(`^${root}/api/uploads/`))
  expect((await fetch(url)).headers.get('content-type')).toBe('image/png')
  const { pathname } = new URL(url)
  const direct = await api.fetch(pathname.replace('/api', ''))
  expect(Buffer.from(await direct.arrayBuffer())).toEqual(PNG)
  const inProcess = await api.fetch('/posts', { method: 'POST', body: formOf(['f', [PNG, 'q.png']]) })
  expect(inProcess.status).toBe(201)
})
