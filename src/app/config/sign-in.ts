import { DEFAULTS } from '../../layers/_defaults.ts'
import type { ResourcesSettings } from '../../resources/resource-settings.ts'

/** The field of users that answers never show. */
export const PASSWORD = 'password'

/** The field by which a request shows that it knows the password that it changes. */
export const CURRENT_PASSWORD = 'currentPassword'

export interface Accounts {
  readonly collection: string
}

interface AccountsConfig {
  readonly middlewares: readonly string[]
  readonly layers: {
    readonly accounts?: { readonly collection?: string; readonly roles?: readonly string[] }
  }
  readonly hosted?: unknown
}

/** Undefined where the layer is not listed, and in the hosted variant, which has no users. */
export function accountsOf({ middlewares, layers, hosted }: AccountsConfig): Accounts | undefined {
  if (hosted || !middlewares.includes('accounts')) return undefined
  return { collection: layers.accounts?.collection ?? DEFAULTS.accounts.collection }
}

/** What users can be. New ones are the first. */
export function rolesOf({ layers }: Pick<AccountsConfig, 'layers'>): readonly string[] {
  return layers.accounts?.roles ?? DEFAULTS.accounts.roles
}

const OF_USERS = ['access', 'owner']

/** Refuses two layers that log people in, and rules about users where nobody can be one. */
export function checkSignIn(
  middlewares: readonly string[],
  resources: ResourcesSettings | undefined,
  fail: (fault: string) => never,
): void {
  if (middlewares.filter((entry) => entry === 'accounts').length > 1) {
    fail('"middlewares" lists "accounts" twice. Keep one of them.')
  }
  if (middlewares.includes('accounts')) {
    if (middlewares.includes('jwt')) {
      fail(
        '"middlewares" lists both "jwt" and "accounts", and each logs users in its own way. Keep one of them.',
      )
    }
    return
  }
  for (const [name, settings] of Object.entries(resources ?? {})) {
    const setting = OF_USERS.find((key) => Object.hasOwn(settings, key))
    if (setting === undefined) continue
    fail(`"resources.${name}.${setting}" needs users to tell apart. Add "accounts" to "middlewares".`)
  }
}
