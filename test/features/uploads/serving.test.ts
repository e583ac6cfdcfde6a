import { linkSync, mkdirSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileIn, formOf, PNG, rowIn, serveUploads } from './forms.ts'

async function upload(content: string | Buffer, name: string, type = '') {
  const uploads = await serveUploads()
  const { row } = await uploads.send('POST', '/posts', formOf(['f', [content, name, type]]))
  return { ...uploads, file: fileIn(row.f) }
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

it.each([
  ['a.png', PNG, 'image/png', 'inline'],
  ['a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg', 'inline'],
  ['a.gif', 'GIF89a...', 'image/gif', 'inline'],
  ['a.webp', 'RIFF....WEBPVP8 ', 'image/webp', 'inline'],
  ['a.avif', '\0\0\0\x1cftypavif', 'image/avif', 'inline'],
  ['a.heic', '\0\0\0\x1cftypheic', 'image/heic', 'inline'],
  ['a.mp4', '\0\0\0\x1cftypisom', 'video/mp4', 'inline'],
  ['a.mov', '\0\0\0\x1cftypqt  ', 'video/quicktime', 'inline'],
  ['a.webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), 'video/webm', 'inline'],
  ['a.mp3', 'ID3....', 'audio/mpeg', 'inline'],
  ['a.ogg', 'OggS....', 'audio/ogg', 'inline'],
  ['a.wav', 'RIFF....WAVE', 'audio/wav', 'inline'],
  ['a.pdf', '%PDF-1.7', 'application/pdf', 'inline'],
  ['a.txt', 'plain', 'text/plain', 'inline'],
  ['a', 'ünï', 'text/plain', 'inline'],
  ['a.csv', 'a,b', 'text/csv', 'inline'],
  ['a.json', '{}', 'application/json', 'inline'],
  ['a.zip', 'PK\x03\x04', 'application/zip', 'attachment'],
  ['a.docx', 'PK\x03\x04', /wordprocessingml.document$/, 'attachment'],
  ['a.epub', 'PK\x03\x04', 'application/epub+zip', 'attachment'],
  ['a.html', '<script>', 'text/html', 'attachment'],
  ['a.svg', SVG, 'image/svg+xml', 'attachment'],
  ['a.xml', '<x/>', 'application/xml', 'attachment'],
  ['a.md', '# x', 'text/markdown', 'attachment'],
  ['a.png', '<script>', 'text/plain', 'inline'],
  ['a.html', Buffer.from([0xff, 0, 1]), 'application/octet-stream', 'attachment'],
] as const)('%s of its bytes is %3$s, and %4$s', async (name, content, type, how) => {
  const { file } = await upload(content, name, 'text/html')
  expect(file.type).toEqual(typeof type === 'string' ? type : expect.stringMatching(type))
  const { headers } = await fetch(file.url)
  const isText = /^text\/|json$|xml$/.test(file.type)
  expect(headers.get('content-type')).toBe(isText ? `${file.type}; charset=utf-8` : file.type)
  expect(headers.get('content-disposition')).toBe(`${how}; filename*=UTF-8''${name}`)
  expect(headers.get('content-security-policy')).toBe(how === 'inline' ? null : "sandbox; default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  expect(headers.get('expires')).toBeNull()
})

it('sends parts, validates, and makes any file an attachment that is asked for as one', async () => {
  const { file } = await upload('0123456789', "it's a (file).txt")
  const get = async (headers: Record<string, string>, query = '', method = 'GET') => {
    const response = await fetch(`${file.url}${query}`, { method, headers })
    return [response.status, response.headers.get('content-range'), await response.text()]
  }
  const { headers } = await fetch(file.url)
  const etag = headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
  expect(await get({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await get({ range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await get({ range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await get({ range: 'bytes=8-99' })).toEqual([206, 'bytes 8-9/10', '89'])
  expect(await get({ range: 'bytes=10-' })).toEqual([416, 'bytes */10', ''])
  expect(await get({ range: 'bytes=0-1,3-4' })).toEqual([200, null, '0123456789'])
  expect(await get({ range: 'bytes=2-4', 'if-range': etag })).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await get({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, null, '0123456789'])
  expect(await get({ 'if-none-match': etag })).toEqual([304, null, ''])
  expect(await get({}, '', 'HEAD')).toEqual([200, null, ''])
  const download = await fetch(`${file.url}?download`)
  expect(download.headers.get('content-disposition')).toBe(
    "attachment; filename*=UTF-8''it%27s%20a%20%28file%29.txt",
  )
})

it('has no other paths, whatever they name', async () => {
  const { server, file, folder } = await upload('x', 'x.txt')
  const { pathname } = new URL(file.url)
  const hash = pathname.split('/')[2] ?? ''
  const other = 'a'.repeat(32)
  mkdirSync(join(folder, 'uploads/aa'))
  symlinkSync(join(folder, 'db.json'), join(folder, 'uploads/aa', other))
  const paths = ['/uploads/', `/uploads/${hash}`, `/uploads/${hash}/`, `${pathname}/x`, `/uploads/${other}/x`]
  const tricks = [
    '/uploads/../db.json',
    `/uploads/${hash}/../../db.json`,
    '/uploads/%2e%2e/db.json',
    '/uploads/..%2fdb.json',
    '/uploads/..\\db.json',
    `/uploads/${hash.toUpperCase()}/x`,
    '/uploads/.restable/data.txt',
  ]
  for (const path of [...paths, ...tricks]) expect([path, await get(server.port, path)]).toEqual([path, 404])
  expect((await fetch(file.url, { method: 'DELETE' })).status).toBe(404)
  expect(await get(server.port, `/uploads/${hash}/anything%20else.png`)).toBe(200)
  linkSync(join(folder, 'db.json'), join(folder, 'uploads/aa/notes'))
  expect(await get(server.port, '/uploads/aa/notes')).toBe(404)
})

/** The status of a GET of exactly this path: `fetch` would change it. */
function get(port: number, path: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(Number(text.split(' ')[1])))
  })
}

it('is read by who has the URL, before guards, and faults hold', async () => {
  const { server, send } = await serveUploads({
    middlewares: ['bearer'],
    bearer: { token: 'secret-token-1' },
    faults: { rules: [{ match: { path: '/uploads/*' }, skip: 1, status: 503 }] },
  })
  expect((await fetch(`${server.url}/posts`)).status).toBe(401)
  const form = formOf(['f', ['x', 'x.txt']])
  expect((await send('POST', '/posts', form)).status).toBe(401)
  const headers = { authorization: 'Bearer secret-token-1' }
  const created = await fetch(`${server.url}/posts`, { method: 'POST', headers, body: form })
  const { url } = fileIn((await rowIn(created)).f)
  expect((await fetch(url)).status).toBe(200)
  expect((await fetch(url)).status).toBe(503)
})
