import nodeModule, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { attempt } from '../core/kernel/util/attempt.ts'
import { getOrMake } from '../core/kernel/util/get-or-make.ts'
import { acceptExpress4Paths, type Router } from './express-4.ts'

const { cache } = createRequire(import.meta.url)

/**
 * Call from the file that `require` of this package loads. Packages made for json-server, such as
 * json-server-auth, build their routers while loading, with the Express that was installed with us and with
 * Express 4 paths. So they get those until they are loaded; all other code gets Express unchanged.
 */
export function lendToRequirer(entry: NodeJS.Module): void {
  // Not cached, or only the first `require` would get here.
  delete cache[entry.filename]
  lendExpress()
  const requirer = packageBeingLoaded(entry.parent)
  if (requirer === undefined) return
  const takeBack = lendExpress4Paths(requirer.filename, () => !requirer.loaded)
  // By then it has loaded or failed, because `require` is synchronous.
  queueMicrotask(takeBack)
}

/** The outermost file of the requiring package. A project's own files are written for the Express they use. */
function packageBeingLoaded(requirer: NodeJS.Module | null | undefined): NodeJS.Module | undefined {
  const folder = requirer?.filename && packageFolder(requirer.filename)
  if (!requirer || !folder || requirer.loaded) return undefined
  const { parent } = requirer
  const isInside = parent?.filename !== undefined && packageFolder(parent.filename) === folder
  return (isInside ? packageBeingLoaded(parent) : undefined) ?? requirer
}

function packageFolder(file: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]
}

/** Who needs Express 4 paths on all routers of an Express, and how to restore it. */
interface Loan {
  readonly wishes: Set<() => boolean>
  readonly undo: () => void
}

const loans = new Map<Router, Loan>()

/**
 * Lets a file use Express 4 paths while it loads: its routers are created by an Express that
 * everything in this process may share. Take it back once the file is loaded; even before that, paths that arrive
 * when it is no longer wanted are read as in Express 5.
 */
export function lendExpress4Paths(file: string, isWanted = () => true): () => void {
  lendExpress()
  // A function of its own, even if two files pass the same one.
  const wish = () => isWanted()
  const borrowed = [...routersFor(file)].map((router) => ({
    router,
    loan: getOrMake(loans, router, () => open(router)),
  }))
  for (const { loan } of borrowed) loan.wishes.add(wish)
  return () => {
    for (const { router, loan } of borrowed) {
      if (!loan.wishes.delete(wish) || loan.wishes.size > 0) continue
      loans.delete(router)
      loan.undo()
    }
  }
}

/** The routers of the Express that the file resolves, and of the one in use here. */
function routersFor(file: string): ReadonlySet<Router> {
  const routers = [file, import.meta.url].map((from): unknown =>
    attempt(() => createRequire(from)('express').Router.prototype),
  )
  return new Set(routers.filter(isRouter))
}

/** Express 4 has its methods elsewhere, and reads such paths anyway. */
function isRouter(prototype: unknown): prototype is Router {
  return typeof prototype === 'function' && 'route' in prototype && 'use' in prototype
}

function open(router: Router): Loan {
  const wishes = new Set<() => boolean>()
  const undo = acceptExpress4Paths(router, () => [...wishes].some((isWanted) => isWanted()))
  return { wishes, undo }
}

type Resolve = (this: unknown, request: string, ...rest: readonly unknown[]) => string

/** No file has this path: Node finds what is in the cache under it. */
const OURS = `${fileURLToPath(import.meta.url)}#express`

/**
 * Lets CommonJS modules require the Express of this package where the project has none. Those made for json-server, such as
 * json-server-auth, use the one that was installed with it.
 */
function lendExpress(): void {
  if (cache[OURS]) return
  const entry = Object.assign(new nodeModule.Module(OURS), { filename: OURS, loaded: true, exports: express })
  cache[OURS] = entry
  const resolve: Resolve = Reflect.get(nodeModule, '_resolveFilename')
  const resolveOrLend: Resolve = function (request, ...rest) {
    try {
      return resolve.call(this, request, ...rest)
    } catch (error) {
      if (request === 'express') return OURS
      throw error
    }
  }
  Reflect.set(nodeModule, '_resolveFilename', resolveOrLend)
}
