import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { start } from '../../../src/index.ts'
import { openApi } from '../../support/http/serve.ts'
import { fileIn, filesIn, formOf, PNG, rowIn, serveUploads, write } from './forms.ts'

/** Lets a minute pass, and then what waits for it. */
async function aMinute(isOver: () => boolean | Promise<boolean>): Promise<void> {
  const passes = () => {
    vi.advanceTimersByTime(20_000)
    return isOver()
  }
  await expect.poll(passes).toBe(true)
}

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
}

const statusOf = async (url: string) => (await fetch(url)).status

it('stays with its row, the history and a snapshot, and then goes within a minute', async () => {
  useFakeTimers()
  const { server, send, files, folder } = await serveUploads()
  const { row } = await send('POST', '/posts', formOf(['f', ['x', 'x.txt']]))
  const { url } = fileIn(row.f)
  await fetch(`${server.url}/posts/2`, { method: 'DELETE' })
  vi.advanceTimersByTime(60_000)
  expect(await statusOf(url)).toBe(200)
  await send('POST', '/__undo', {})
  expect(await statusOf(url)).toBe(200)
  expect(fileIn((await rowIn(await fetch(`${server.url}/posts/2`))).f).url).toBe(url)
  await fetch(`${server.url}/posts/2`, { method: 'DELETE' })
  await send('POST', '/__reset', {})
  await aMinute(async () => (await statusOf(url)) === 404)
  expect(files()).toEqual([])
  expect(readdirSync(join(folder, 'uploads/.restable')).filter((name) => name.endsWith('.left'))).toEqual([])
})

it('stays while a snapshot names it, which brings both back', async () => {
  useFakeTimers()
  const { server, folder } = await serveUploads()
  await server.close()
  const again = await start({
    source: join(folder, 'db.json'),
    uploads: true,
    snapshots: join(folder, 'snaps'),
    port: 0,
  })
  onTestFinished(() => again.close())
  const created = await fetch(`${again.url}/posts`, { method: 'POST', body: formOf(['f', ['x', 'x.txt']]) })
  const { url } = fileIn((await rowIn(created)).f)
  const { id } = (await (await fetch(`${again.url}/__snapshots__`, { method: 'POST' })).json()) as {
    id: string
  }
  await fetch(`${again.url}/__reset`, { method: 'POST' })
  for (let times = 0; times < 5; times++) vi.advanceTimersByTime(20_000)
  expect((await fetch(`${again.url}/posts/2`)).status).toBe(404)
  expect(await statusOf(url)).toBe(200)
  await fetch(`${again.url}/__snapshots__/${id}`, { method: 'PUT' })
  expect(await statusOf(url)).toBe(200)
  expect((await fetch(`${again.url}/posts/2`)).status).toBe(200)
})

it('is stored once, however many rows have it, and stays until the last is gone', async () => {
  useFakeTimers()
  const { server, send, files } = await serveUploads()
  const form = () => formOf(['f', [PNG, 'p.png']])
  const { row } = await send('POST', '/posts', form())
  await send('POST', '/posts', form())
  expect(files()).toHaveLength(1)
  await fetch(`${server.url}/posts/2`, { method: 'DELETE' })
  const { url } = fileIn(row.f)
  await send('POST', '/__reset', {})
  await aMinute(async () => (await statusOf(url)) === 404)
})

it('goes at the next start if a change took its last name, and stays if an edit from outside did', async () => {
  const { server, send, folder, files } = await serveUploads()
  await send('POST', '/posts', formOf(['f', ['deleted', 'x.txt']]))
  await send('POST', '/posts', formOf(['f', ['edited', 'x.txt']]))
  expect(files()).toHaveLength(2)
  await fetch(`${server.url}/posts/2`, { method: 'DELETE' })
  await server.close()
  expect(files()).toHaveLength(2)
  write(folder, 'db.json', { posts: [] })
  const lines: string[] = []
  const again = await start({
    source: join(folder, 'db.json'),
    uploads: true,
    port: 0,
    print: (line) => lines.push(line),
  })
  onTestFinished(() => again.close())
  expect(filesIn(folder)).toHaveLength(1)
  expect(lines.filter((line) => line.includes('uploads'))).toEqual([
    expect.stringContaining('no row names one file'),
  ])
})

it('stays while another server runs on the same data', async () => {
  useFakeTimers()
  const { server, send, folder, files } = await serveUploads()
  const other = await start({ source: join(folder, 'db.json'), uploads: true, port: 0 })
  const { row } = await send('POST', '/posts', formOf(['f', ['x', 'x.txt']]))
  const { pathname } = new URL(fileIn(row.f).url)
  expect(await statusOf(`${other.url}${pathname}`)).toBe(200)
  await send('POST', '/__reset', {})
  for (let times = 0; times < 5; times++) vi.advanceTimersByTime(20_000)
  expect(await statusOf(`${server.url}${pathname}`)).toBe(200)
  await other.close()
  await aMinute(() => files().length === 0)
})

it('of a session is in memory, is seen by all, and goes with it', async () => {
  const { server, files } = await serveUploads()
  const headers = { 'x-mock-session': 'a' }
  const body = formOf(['f', ['x', 'x.txt']])
  const created = await fetch(`${server.url}/posts`, { method: 'POST', headers, body })
  const { url } = fileIn((await rowIn(created)).f)
  expect(files()).toEqual([])
  expect(await statusOf(url)).toBe(200)
  expect((await fetch(`${server.url}/posts/2`)).status).toBe(404)
  await fetch(`${server.url}/__sessions/a`, { method: 'DELETE' })
  expect(await statusOf(url)).toBe(404)
})

it('in memory stays within 256 MB altogether, and leaves nothing on disk', async () => {
  const uploads = { maxBytes: 200 * 1024 * 1024 }
  const { server, folder } = await serveUploads({ persist: false, uploads })
  const status = async (megabytes: number, session: string) => {
    const body = formOf(['f', [Buffer.alloc(megabytes * 1024 * 1024), 'x']])
    const headers = { 'x-mock-session': session }
    return (await fetch(`${server.url}/posts`, { method: 'POST', headers, body })).status
  }
  expect(await status(130, 'a')).toBe(201)
  expect(await status(127, 'b')).toBe(503)
  expect(await status(10, 'b')).toBe(201)
  await fetch(`${server.url}/__sessions/a`, { method: 'DELETE' })
  expect(await status(130, 'c')).toBe(201)
  expect(existsSync(join(folder, 'uploads'))).toBe(false)
})

it('of a server without a file is in memory', async () => {
  const api = await openApi({ data: { posts: [] }, uploads: true })
  const created = await api.fetch('/posts', { method: 'POST', body: formOf(['f', [PNG, 'p.png']]) })
  const { url } = fileIn((await rowIn(created)).f)
  const { pathname } = new URL(url)
  expect((await api.fetch(pathname)).status).toBe(200)
})

it.each([
  [
    'with files of other data',
    { dir: 'uploads' },
    'other.json',
    /uploads\.dir: .* has the files of \.\.\/db\.json/,
  ],
  ['in a static folder', { dir: 'public/files' }, 'db.json', /uploads\.dir: .*public.* is served as it is/],
  [
    'whose path is a resource',
    { path: '/posts' },
    'db.json',
    /uploads\.path: the data has a resource "posts"/,
  ],
  ['that is a data file', { dir: 'db.json' }, 'db.json', /uploads\.dir: .*restable db\.json --uploads|dir/],
])('no server starts with a folder %s', async (_, uploads, source, message) => {
  const { server, folder } = await serveUploads()
  await server.close()
  write(folder, 'other.json', { posts: [] })
  const options = { source: join(folder, source), uploads, static: join(folder, 'public'), port: 0 }
  await expect(start(options)).rejects.toThrow(message)
})
