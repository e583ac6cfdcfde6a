import type { Request } from 'express'
import type { Dependents } from '../../storage/change.ts'
import type { RouterContext } from '../context.ts'
import { parseDependents } from '../query/parse-query.ts'
import { queryOf } from '../query/request-query.ts'

/** Whose rows a DELETE takes along: those that `_dependent` names, or everybody's with `cascade`. */
export function dependentsOf({ cascade }: RouterContext, req: Request): Dependents {
  return cascade ? 'all' : parseDependents(queryOf(req))
}
