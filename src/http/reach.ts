import type { Request } from 'express'

/** How a guard let a request pass whose path is public. */
export interface PublicPass {
  /** Whether that guard lets everybody to this path as well. */
  isPublic(path: string): boolean
  /** Judges the request as if its path were not public, and answers for itself when it refuses. */
  admit(): boolean
}

/** What of a request comes from a rewrite rule, and so from the owner of the server. */
export interface Ruled {
  /** Names of parameters. */
  readonly parameters: ReadonlySet<string>
  /** Whether the rule itself names what its path ends with, as `/companies/:id/products` does. */
  readonly endsByRule: boolean
}

// By request and not on it: requests of one shape are what makes V8 fast.
const passes = new WeakMap<Request, readonly PublicPass[]>()
const rules = new WeakMap<Request, Ruled>()

/**
 * Notes that a guard has not looked at a request closer than at its path. What is public is the resource there alone;
 * whether a request reaches others by relations or nested paths, only the router can tell.
 */
export function passAsPublic(req: Request, pass: PublicPass): void {
  passes.set(req, [...publicPasses(req), pass])
}

export function publicPasses(req: Request): readonly PublicPass[] {
  return passes.get(req) ?? NONE
}

const NONE: readonly PublicPass[] = []

/** Notes what rules asked for by themselves. */
export function noteRules(req: Request, ruled: Ruled): void {
  rules.set(req, ruled)
}

export function ruledParts(req: Request): Ruled | undefined {
  return rules.get(req)
}
