import type { Request } from 'express'

/** A guard's decision to let a request pass because its path is public. */
export interface PublicPass {
  /** Whether that guard considers this path public too. */
  isPublic(path: string): boolean
  /** Checks the request as if its path were not public; sends the refusal itself. */
  admit(): boolean
}

/** The parts of a request that come from a rewrite rule, and so from the owner of the server. */
export interface Ruled {
  readonly parameters: ReadonlySet<string>
  /** Whether the rule itself names the end of its path, as `/companies/:id/products` does. */
  readonly endsByRule: boolean
}

// In a map rather than on the request: V8 is fast as long as all requests have the same shape.
const passes = new WeakMap<Request, readonly PublicPass[]>()
const rules = new WeakMap<Request, Ruled>()

/** Records that a guard let a request pass by its path alone. Only the router knows what else it reaches. */
export function passAsPublic(req: Request, pass: PublicPass): void {
  passes.set(req, [...publicPasses(req), pass])
}

export function publicPasses(req: Request): readonly PublicPass[] {
  return passes.get(req) ?? NONE
}

const NONE: readonly PublicPass[] = []

export function noteRules(req: Request, ruled: Ruled): void {
  rules.set(req, ruled)
}

export function ruledParts(req: Request): Ruled | undefined {
  return rules.get(req)
}
