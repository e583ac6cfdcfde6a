import { DEFAULTS } from '../../layers/_defaults.ts'
import type { PersonaInfo } from '../../service-info.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import { readRows } from '../../storage/engine/read-rows.ts'
import type { Config } from '../config/config.ts'

/** Enough to choose from. */
const MOST = 100

/** Whom clients may act as; undefined where they may not act as others. */
export async function describePersonas(
  { middlewares, layers, hosted }: Config,
  engine: EngineAccess,
): Promise<PersonaInfo[] | undefined> {
  const { persona, collection, roles } = { ...DEFAULTS.accounts, ...layers.accounts }
  if (!persona || hosted || !middlewares.includes('accounts')) return undefined
  const users = (await readRows(engine, collection, MOST)) ?? []
  return users.flatMap((user: unknown) => {
    const { email, username, role = roles[0] }: Record<string, unknown> = Object(user)
    const name = email ?? username
    return typeof name === 'string' ? [{ email: name, role: String(role) }] : []
  })
}
