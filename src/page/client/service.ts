import { signal } from '@preact/signals'
import type { ResourceInfo, ServiceInfo } from '../../core/kernel/catalogue/service-info.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { accounts } from './caller.ts'
import { resourcesOf } from './resources-of.ts'
import { type ApiResponse, hasShape, isOk, send } from './send.ts'
import { session } from './session.ts'

/** The server's description of itself; undefined until it is loaded, or if there is none. */
export const service = signal<ServiceInfo | undefined>(undefined)

export const resources = signal<readonly ResourceInfo[]>([])

export const serviceFailure = signal<ApiResponse | undefined>(undefined)

export const isServiceLoaded = signal(false)

/** A custom app, made with `defaults()` and `router()`, has no `/__service`: then `/db` names the resources. */
export async function loadService(): Promise<void> {
  const current = session.peek()
  const response = await send('GET', '/__service')
  if (session.peek() !== current) return loadService()
  if (isOk(response) && isServiceInfo(response.data)) {
    service.value = response.data
    hasShape.value = response.data.shape === true
    resources.value = response.data.resources
    serviceFailure.value = undefined
    readAccounts(response.data)
    void loadMe()
  } else if (response.status === 404) {
    const db = await send('GET', '/db')
    resources.value = isOk(db) ? resourcesOf(db.data) : []
    serviceFailure.value = isOk(db) ? undefined : db
  } else {
    serviceFailure.value = response
  }
  isServiceLoaded.value = true
}

/** The field with the ids of a collection's rows. */
export function idField(resource: string): string {
  const own = resources.value.find(({ name }) => name === resource)?.id
  return own ?? service.value?.id ?? 'id'
}

function isServiceInfo(data: unknown): data is ServiceInfo {
  return isObject(data) && 'resources' in data && 'layers' in data
}

/** The user who is logged in. */
export const me = signal<{ readonly email: string; readonly role: string } | undefined>(undefined)

function readAccounts({ layers }: ServiceInfo): void {
  const settings = layers.find(({ name, kind }) => kind === 'built-in' && name === 'accounts')?.settings
  accounts.value = settings
    ? {
        hasCookies: settings.cookies === true,
        hasPersonas: settings.persona === true,
        roles: Array.isArray(settings.roles) ? settings.roles.map(String) : [],
      }
    : null
}

export async function loadMe(): Promise<void> {
  const response = accounts.peek() ? await send('GET', '/me', { isRaw: true }) : undefined
  const user = response && isOk(response) && isObject(response.data) ? response.data : undefined
  me.value = user && {
    email: String(user.email ?? user.username),
    role: String(user.role ?? accounts.peek()?.roles[0]),
  }
}
