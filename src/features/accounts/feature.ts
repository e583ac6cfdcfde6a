import { dirname } from 'node:path'
import { usersIn } from '../../config/resource-config.ts'
import { codeOf } from '../../stores/file/fs.ts'
import { StoredLogins } from '../../stores/file/stored-logins.ts'
import type { Feature } from '../feature.ts'
import { layerFeature } from '../layer-feature.ts'
import type { LayerWiring, NeedsOfLayer } from '../layer-wiring.ts'
import { accountsNeeds } from './engine-accounts.ts'
import { sealPasswords } from './seal-passwords.ts'

/** The server around the layer `accounts`: its users are rows, whose passwords are hashed however they are written. */
export const accountsFeature: Feature = {
  ...layerFeature('accounts'),
  layerNeeds,
  sealOf(config) {
    const users = usersIn(config)
    return users === undefined ? undefined : sealPasswords(users)
  },
}

async function layerNeeds(wiring: LayerWiring): ReturnType<NeedsOfLayer> {
  return { accounts: accountsNeeds(wiring, await openLogins(wiring)) }
}

/** Undefined where logins are in memory. */
async function openLogins({ config, shared, loginFile, log }: LayerWiring) {
  const secret = config.layers.accounts?.secret ?? process.env.JWT_SECRET
  if (shared || secret === undefined || loginFile === undefined) return shared
  return StoredLogins.open(loginFile).catch((error: unknown) => {
    log(`accounts: logins end with a restart: ${dirname(loginFile)} cannot be written (${codeOf(error)}).`)
    return undefined
  })
}
