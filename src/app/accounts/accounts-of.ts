import { DEFAULTS } from '../../layers/_defaults.ts'
import type { Config } from '../config/config.ts'

/** What the rest of the server has to know of accounts. */
export interface Accounts {
  readonly collection: string
}

/** Undefined where the layer is not listed, and in the hosted variant, which has no users. */
export function accountsOf({ middlewares, layers, hosted }: Config): Accounts | undefined {
  if (hosted || !middlewares.includes('accounts')) return undefined
  return { collection: layers.accounts?.collection ?? DEFAULTS.accounts.collection }
}

/** Whether a field of a new user is not the client's to choose: the id, and whose row it is. */
export function isKept(config: Config, field: string): boolean {
  const { id, foreignKeySuffix, resources } = config
  const settings: unknown = resources?.[accountsOf(config)?.collection ?? '']
  const owner: unknown = Reflect.get(Object(settings), 'owner')
  return field === id || field === `user${foreignKeySuffix}` || field === owner
}
