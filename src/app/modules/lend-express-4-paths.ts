import { createRequire } from 'node:module'
import type express from 'express'
import { acceptExpress4Paths, type Router } from '../express/express-4-paths.ts'

/** Who wants Express 4's paths from all routers of an Express, and how to make it again what it was. */
interface Loan {
  readonly wishes: Set<() => boolean>
  readonly undo: () => void
}

const loans = new Map<Router, Loan>()

/**
 * Lets the code of a file write the paths of Express 4 while it is loaded: its routers are made by an Express that
 * everybody in this process may use. It is to be taken back when the file is there; paths that come when it is no
 * longer wanted are read as Express 5 reads them even before that.
 */
export function lendExpress4Paths(file: string, isWanted = () => true): () => void {
  const wish = () => isWanted()
  const routers = routersFor(file)
  for (const router of routers) wishFrom(router, wish)
  return () => {
    for (const router of routers) takeBack(router, wish)
  }
}

/**
 * Of the Express that the file finds, and of the one installed with us, which may be another copy than the one in use
 * here: that is part of the bundled command.
 */
function routersFor(file: string): ReadonlySet<Router> {
  const routers = [file, import.meta.url].map((from): Router | undefined => {
    try {
      const { Router }: typeof express = createRequire(from)('express')
      const prototype: unknown = Router.prototype
      return isRouter(prototype) ? prototype : undefined
    } catch {
      // It finds none, and so needs none.
      return undefined
    }
  })
  return new Set(routers.filter((router) => router !== undefined))
}

/** In Express 4 the methods are elsewhere, and read such paths anyhow. */
function isRouter(prototype: unknown): prototype is Router {
  return typeof prototype === 'function' && 'route' in prototype && 'use' in prototype
}

function wishFrom(router: Router, wish: () => boolean): void {
  const { wishes } = loans.get(router) ?? open(router)
  wishes.add(wish)
}

function open(router: Router): Loan {
  const wishes = new Set<() => boolean>()
  const undo = acceptExpress4Paths(router, () => [...wishes].some((isWanted) => isWanted()))
  const loan = { wishes, undo }
  loans.set(router, loan)
  return loan
}

function takeBack(router: Router, wish: () => boolean): void {
  const loan = loans.get(router)
  loan?.wishes.delete(wish)
  if (loan?.wishes.size !== 0) return
  loans.delete(router)
  loan.undo()
}
