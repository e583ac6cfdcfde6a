import type { Config } from '../config/config.ts'
import { accountsOf, rolesOf } from '../config/sign-in.ts'

export function remarksOnAccounts(config: Config): readonly string[] {
  return accountsOf(config) ? [...lostCookies(config), ...noAdmin(config)] : []
}

/** Browsers send no cookies to a server that allows every origin. */
function lostCookies({ middlewares, layers }: Config): readonly string[] {
  if (!middlewares.includes('cors') || !layers.accounts?.cookies) return []
  return [
    'accounts.cookies: the cors layer allows every origin, and then browsers send no cookies from pages of others. ' +
      'Leave cors out of middlewares, or serve the page from here.',
  ]
}

function noAdmin(config: Config): readonly string[] {
  if (rolesOf(config).includes('admin')) return []
  return [
    'accounts.roles: there is no "admin", and only users of that role may undo, reset, restore snapshots, set faults, ' +
      'turn the clock and see the history, sessions and requests of others. Add "admin" to accounts.roles.',
  ]
}
