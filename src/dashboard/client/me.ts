import { signal } from '@preact/signals'
import type { ServiceInfo } from '../../catalogue/service-info.ts'
import { isObject } from '../../json/record.ts'
import { accounts } from './login.ts'
import { isOk, send } from './send.ts'

/** Who is logged in. */
export interface Me {
  readonly email: string
  readonly role: string
}

/** Undefined for nobody. */
export const me = signal<Me | undefined>(undefined)

/** What the page has to know of the server's accounts. */
export function readAccounts({ layers }: ServiceInfo): void {
  const settings = layers.find(({ name, kind }) => kind === 'built-in' && name === 'accounts')?.settings
  accounts.value = settings
    ? {
        collection: String(settings.collection),
        hasCookies: settings.cookies === true,
        hasPersonas: settings.persona === true,
        roles: Array.isArray(settings.roles) ? settings.roles.map(String) : [],
      }
    : null
}

export async function loadMe(): Promise<void> {
  if (!accounts.peek()) {
    me.value = undefined
    return
  }
  const response = await send('GET', '/me', { isRaw: true })
  me.value = isOk(response) && isObject(response.data) ? readMe(response.data) : undefined
}

function readMe({ email, username, role }: Readonly<Record<string, unknown>>): Me {
  return { email: String(email ?? username), role: String(role ?? accounts.peek()?.roles[0]) }
}
