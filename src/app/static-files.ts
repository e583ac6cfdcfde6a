import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import express, { type RequestHandler } from 'express'

/**
 * The files of a folder. A link in it is followed as long as it stays inside: what lies outside was not put there to
 * be read by everybody.
 */
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

/** Browsers take a backslash for a slash: a redirect to `/\\elsewhere/` would lead to another site. */
function plainPath(path: string): string | undefined {
  if (path.includes('\\')) return undefined
  try {
    const plain = decodeURIComponent(path)
    return plain.includes('\0') ? undefined : plain
  } catch {
    return undefined
  }
}

/** Rejects where there is nothing. */
async function isInside(folder: string, path: string): Promise<boolean> {
  const found = await realpath(join(folder, path))
  const root = await realpath(folder)
  const holds = (file: string): boolean =>
    file === root || file.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!holds(found)) return false
  // A folder is served as its index.html, which may be a link as well.
  const index = await realpath(join(found, 'index.html')).catch(() => undefined)
  return index === undefined || holds(index)
}
