import { createRequire } from 'node:module'
import { lendExpress4Paths } from './lend-express-4-paths.ts'

const { cache } = createRequire(import.meta.url)

/**
 * To be called by the file that `require` of this package loads. Packages made for json-server, such as
 * json-server-auth, build their routers while they are loaded, with the Express that was installed with us and with
 * Express 4's paths. So they get those, until they are loaded; everybody else gets Express as it is.
 */
export function answerRequire(door: NodeJS.Module): void {
  // Else only the first to ask would come through.
  delete cache[door.filename]
  const asking = packageBeingLoaded(door.parent)
  if (asking === undefined) return
  const takeBack = lendExpress4Paths(asking.filename, () => !asking.loaded)
  // By then it is loaded, or has failed: `require` waits for nothing.
  queueMicrotask(takeBack)
}

/** The outermost file of the package that asks. A project's own files know which Express they have. */
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
