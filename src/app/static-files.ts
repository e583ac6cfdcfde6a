import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import express, { type RequestHandler } from 'express'

/** Serves the files of a folder. Links are followed only within it: files outside were not put there to be public. */
export function staticFiles(folder: string): RequestHandler {
  const files = express.static(folder)

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

/** Browsers treat a backslash as a slash: a redirect to `/\\elsewhere/` would lead to another site. */
function plainPath(path: string): string | undefined {
  if (path.includes('\\')) return undefined
  try {
    const plain = decodeURIComponent(path)
    return plain.includes('\0') ? undefined : plain
  } catch {
    return undefined
  }
}

/** Rejects if there is no such file. */
async function isInside(folder: string, path: string): Promise<boolean> {
  const found = await realpath(join(folder, path))
  const root = await realpath(folder)
  const holds = (file: string): boolean =>
    file === root || file.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!holds(found)) return false
  // A folder is served as its index.html, which may be a link too.
  const index = await realpath(join(found, 'index.html')).catch(() => undefined)
  return index === undefined || holds(index)
}
