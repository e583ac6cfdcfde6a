import type { Request, RequestHandler } from 'express'
import { enterWorld, type World, worldOf } from '../../../src/core/kernel/http/world.ts'

/** Gives requests a world, as a server does in front of its layers: that of a test, where it differs from the default. */
export function inWorld(partOf: (req: Request) => Partial<World>): RequestHandler {
  return (req, _res, next) => {
    const world: World = { ...worldOf({}), ...partOf(req) }
    enterWorld(req, { ...world, base: world })
    next()
  }
}
