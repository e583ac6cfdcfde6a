import { once } from 'node:events'
import type { Request, RequestHandler, Response } from 'express'
import { parseEntityTags } from '../../core/kernel/http/headers.ts'
import { sendNotFound } from '../serve-endpoints.ts'
import { isShown, typeOf } from './file-type.ts'
import type { FoundFile } from './kept-files.ts'
import { cleanName } from './stored-url.ts'

interface ServeOptions {
  /** Of the setting. */
  readonly path: string
  readonly find: (hash: string) => Promise<FoundFile | undefined>
}

/** Sends files at their URLs: in front of guards, since an `<img>` sends neither header nor token. */
export function serveFiles({ path, find }: ServeOptions): RequestHandler {
  const prefix = `${path}/`
  return function serveFiles(req, res, next) {
    if (!req.url.startsWith(prefix)) return next()
    const [, hash, encoded = ''] = FILE.exec(req.url.slice(path.length)) ?? []
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (hash === undefined || !isRead) return sendNotFound(res)
    find(hash).then((file) => {
      if (!file) return sendNotFound(res)
      return sendFile(req, res, { hash, file, name: nameIn(encoded) })
    }, next)
  }
}

const FILE = /^\/([0-9a-f]{32})\/([^/?#]+)(?:\?.*)?$/

function nameIn(encoded: string): string {
  try {
    return cleanName(decodeURIComponent(encoded))
  } catch {
    return 'file'
  }
}

interface Named {
  readonly hash: string
  readonly file: FoundFile
  readonly name: string
}

async function sendFile(req: Request, res: Response, { hash, file, name }: Named): Promise<void> {
  try {
    const { size } = file
    const etag = `"${hash}"`
    setHeaders(req, res, { etag, type: typeOf(await file.head(), name), name })
    const unchanged = parseEntityTags(req.headers['if-none-match'])
    if (unchanged && (unchanged.isAny || unchanged.has(etag))) return void res.status(304).end()
    const range = rangeIn(req, etag, size)
    if (range === 'unsatisfiable') {
      res
        .status(416)
        .set({ 'Content-Range': `bytes */${size}`, 'Content-Length': '0' })
        .end()
      return
    }
    const { start, end } = range ?? { start: 0, end: size }
    if (range) res.status(206).set('Content-Range', `bytes ${start}-${end - 1}/${size}`)
    res.set('Content-Length', String(end - start))
    if (req.method === 'HEAD' || start === end) return void res.end()
    for await (const chunk of file.read(start, end)) {
      if (res.closed) return
      if (!res.write(chunk)) await Promise.race([once(res, 'drain'), once(res, 'close')])
    }
    res.end()
  } catch {
    res.destroy()
  } finally {
    await file.close().catch(() => {})
  }
}

interface Shown {
  readonly etag: string
  readonly type: string
  readonly name: string
}

function setHeaders(req: Request, res: Response, { etag, type, name }: Shown): void {
  const query = new URLSearchParams(req.url.replace(/^[^?]*/, ''))
  const isSafe = isShown(type)
  const isInline = isSafe && !query.has('download')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  // Set for all other responses, which nobody is to keep.
  for (const header of ['Expires', 'Pragma']) res.removeHeader(header)
  res.setHeader('Content-Type', isText(type) ? `${type}; charset=utf-8` : type)
  res.setHeader('Content-Disposition', `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`)
  if (!isSafe) res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Cache-Control', 'private, max-age=31536000, immutable')
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('ETag', etag)
}

function isText(type: string): boolean {
  return type.startsWith('text/') || /^application\/(?:json|xml)$|\+xml$/.test(type)
}

/** The one range that is asked for; undefined for the whole file. */
function rangeIn({ headers }: Request, etag: string, size: number) {
  const { range, 'if-range': unless } = headers
  if (range === undefined || (unless !== undefined && unless !== etag)) return undefined
  const [, first = '', last = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range) ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  // A range that ends before it begins is none.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return start >= end ? 'unsatisfiable' : { start, end }
}
