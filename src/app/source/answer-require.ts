import { createRequire } from 'node:module'
import { lendExpress4Paths } from './lend-express-4-paths.ts'

const { cache } = createRequire(import.meta.url)

/**
 * Call from the file that `require` of this package loads. Packages made for json-server, such as
 * json-server-auth, build their routers while loading, with the Express that was installed with us and with
 * Express 4 paths. So they get those until they are loaded; everyone else gets Express unchanged.
 */
export function answerRequire(door: NodeJS.Module): void {
  // Not cached, or only the first `require` would get here.
  delete cache[door.filename]
  const asking = packageBeingLoaded(door.parent)
  if (asking === undefined) return
  const takeBack = lendExpress4Paths(asking.filename, () => !asking.loaded)
  // By then it has loaded or failed, because `require` is synchronous.
  queueMicrotask(takeBack)
}

/** The outermost file of the requiring package. A project's own files know which Express they use. */
function packageBeingLoaded(asking: NodeJS.Module | null | undefined): NodeJS.Module | undefined {
  const folder = asking?.filename && packageFolder(asking.filename)
  if (!asking || !folder || asking.loaded) return undefined
  const { parent } = asking
  const isInside = parent?.filename !== undefined && packageFolder(parent.filename) === folder
  return (isInside ? packageBeingLoaded(parent) : undefined) ?? asking
}

function packageFolder(file: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]
}
