import { signal } from '@preact/signals'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'

/** Why a guard refused, in its own words. */
export interface Refusal {
  readonly code: string
  readonly message: string
  /** A read was refused: a login would not help, since logins guard only writes. */
  readonly isRead: boolean
}

export interface SignInRequest extends Refusal {
  /** `true`: there are new credentials, send the request again. */
  resolve(isGiven: boolean): void
}

/** The open request, which the dialog shows. */
export const signInRequest = signal<SignInRequest | undefined>(undefined)

let pending: Promise<boolean> | undefined

/** Opens the sign-in dialog; resolves to false on cancel. Single-flight: waiting requests share one dialog. */
export function requestSignIn(refusal: Refusal): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    signInRequest.value = {
      ...refusal,
      resolve(isGiven) {
        signInRequest.value = undefined
        pending = undefined
        resolve(isGiven)
      },
    }
  })
  return pending
}

/** Whether other credentials would help. A key without write permission is valid: asking again would loop. */
export function isAuthCode(code: string): boolean {
  return /^(?:API_KEY_(?:MISSING|MALFORMED|INVALID)|AUTH_REQUIRED|AUTH_FORBIDDEN)$/.test(code)
}

export const ACTIONS = ['read', 'create', 'update', 'delete'] as const

export type Action = (typeof ACTIONS)[number]

/** The rule that a refusal names: `Only the owner and admins can update orders.` */
export function ruleOfRefusal(
  message: string,
): { readonly resource: string; readonly action: Action } | undefined {
  const [, name, resource] = /^(?:Only .+|Nobody) can (\w+) (.+?)\.(?: |$)/s.exec(message) ?? []
  const action = ACTIONS.find((one) => one === name)
  return resource !== undefined && action ? { resource, action } : undefined
}

/** Whether a user may read any rows of a resource: their own are enough, and those of parents that they may read. */
export function mayRead(
  { access, relations }: Pick<ResourceInfo, 'access' | 'relations'>,
  all: readonly ResourceInfo[],
  user: { readonly role: string } | undefined,
  steps = MOST_STEPS,
): boolean {
  if (!access) return true
  return access.read.some((who) => {
    if (!who.startsWith('via:'))
      return who === 'anyone' || (user && ['signed-in', 'owner', `role:${user.role}`].includes(who))
    const parent = relations.find(({ field }) => field === who.slice(4))?.resource
    const found = all.find(({ name }) => name === parent)
    return found === undefined || (steps > 0 && mayRead(found, all, user, steps - 1))
  })
}

/** Parents of parents, and no circles. */
const MOST_STEPS = 10
