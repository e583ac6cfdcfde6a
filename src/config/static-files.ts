import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import express, { type RequestHandler } from 'express'
import { mounts } from '../core/kernel/http/request-context.ts'
import { attempt } from '../core/kernel/util/attempt.ts'

export function staticFolders(setting: string | readonly string[] = './public'): readonly string[] {
  return [setting].flat()
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Serves the files of a folder. Links out of it are not followed: those files are not meant to be public. */
export function staticFiles(folder: string): RequestHandler {
  const files = withMount(express.static(folder))

  return function staticFiles(req, res, next) {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const path = isRead ? plainPath(req.path) : undefined
    if (path === undefined) next()
    else {
      isInside(folder, path).then(
        (isHere) => (isHere ? files(req, res, next) : next()),
        () => next(),
      )
    }
  }
}

/** Redirects to folders are made of `originalUrl`, which is without the path where another app has mounted us. */
function withMount(files: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const { originalUrl } = req
    req.originalUrl = `${mounts.get(req)?.path ?? ''}${originalUrl}`
    return files(req, res, (error?: unknown) => {
      req.originalUrl = originalUrl
      next(error)
    })
  }
}

/** Browsers treat a backslash as a slash: a redirect to `/\\elsewhere/` would lead to another site. */
function plainPath(path: string): string | undefined {
  if (path.includes('\\')) return undefined
  const plain = attempt(() => decodeURIComponent(path))
  return plain?.includes('\0') ? undefined : plain
}

async function isInside(folder: string, path: string): Promise<boolean> {
  const target = await realpath(join(folder, path))
  const root = await realpath(folder)
  const holds = (file: string): boolean =>
    file === root || file.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!holds(target)) return false
  // A folder is served as its index.html, which may be a link too.
  const index = await realpath(join(target, 'index.html')).catch(() => undefined)
  return index === undefined || holds(index)
}
