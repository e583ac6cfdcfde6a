import type { Request } from 'express'
import { limitEngine } from '../../storage/engine/limit-engine.ts'
import { rightsIn } from '../../storage/rules/rights.ts'
import { declaredOf } from './declared-of.ts'
import { sealOf } from './seal-passwords.ts'
import type { Parts } from './service-parts.ts'
import { causeOf } from './session-routers.ts'

/** More would keep other writes waiting. */
const MOST_ROWS = 100_000

/** Adds rows by the rights of the client of a request. */
export function growFor({ config, engine, schemas, accessOf }: Parts) {
  const sealFor = sealOf(config)
  return async (req: Request, body: unknown, seed: number | undefined): Promise<object> => {
    // Rarely needed: no part of the start.
    const [{ growRows }, { readWanted }] = await Promise.all([
      import('../control/grow-rows.ts'),
      import('../control/wanted-rows.ts'),
    ])
    const access = accessOf?.(req)
    const limited = access ? limitEngine(engine, access) : engine
    const ground = {
      engine: limited,
      rules: engine.rules,
      declaredOf: (name: string) => declaredOf(config, schemas, name),
      fixedIn: access && ((name: string) => rightsIn(access, name).fixed.map(({ field }) => field)),
    }
    const seal = sealFor?.(req)
    const grown = await growRows(readWanted(body, limited, MOST_ROWS), ground, {
      seed,
      cause: causeOf(req),
      seal: seal && ((insert) => seal(insert, { engine: limited, ...(access && { access }) })),
    })
    return { version: engine.history.version, ...grown }
  }
}
