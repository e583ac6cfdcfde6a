import type { AccessInfo } from '../../../service-info.ts'
import { type ApiSettings, hasLayer, optionOf } from '../settings.ts'
import type { Place } from './api-error.ts'
import { BODY_DEEDS, DATA_READS, type Deed, MANAGE } from './deeds.ts'

type Action = Exclude<keyof AccessInfo, 'owner' | 'isDeclared'>

/** Who may do what an operation does: `update is for owner or role:admin`. */
export function ruleOf(settings: ApiSettings, place: Place): string {
  const rules = rulesFor(settings, place)
  return rules.map(([action, who]) => `${action} is for ${who.join(' or ')}`).join('; ')
}

export function asksForLogin(settings: ApiSettings, place: Place): boolean {
  return rulesFor(settings, place).some(([, who]) => !who.includes('anyone'))
}

export function asksForMore(settings: ApiSettings, place: Place): boolean {
  return rulesFor(settings, place).some(([, who]) => !who.includes('anyone') && !who.includes('signed-in'))
}

/** Whether a rule may keep users from reading their own row, or from changing it. */
export function isKeptFromSelf(settings: ApiSettings, { deed }: Place): boolean {
  const access = settings.access?.(String(optionOf(settings, 'accounts', 'collection')))
  const rules = access ? [access.read, ...(deed === 'changeMe' ? [access.update] : [])] : []
  return rules.some((who) => !SELF.some((one) => who.includes(one)))
}

const SELF = ['anyone', 'signed-in', 'owner']

/** What concerns everybody: all data together, other people's sessions, the server itself. */
export function isForAdmins(settings: ApiSettings, { deed }: Place): boolean {
  return hasLayer(settings, 'accounts') && FOR_ADMINS.includes(deed)
}

const FOR_ADMINS: readonly Deed[] = [...MANAGE, 'oversee', 'getSnapshot', 'seeControl', 'follow']

/** To whom an operation for admins is open: in a session, some change nothing else. */
export function adminRule(_: ApiSettings, { path }: Place): string {
  const isOpen = /^\/__(?:reset|clock|faults)\b/.test(path)
  return `this is for role:admin${isOpen ? ', except in a session' : ''}`
}

function rulesFor({ access: accessOf }: ApiSettings, { deed, resource }: Place) {
  const access = accessOf?.(resource)
  return access ? actionsOf(deed).map((action) => [action, access[action]] as const) : []
}

/** A PUT may create what it does not find. */
function actionsOf(deed: Deed): readonly Action[] {
  if (deed === 'create') return ['create']
  if (deed === 'delete' || deed === 'deleteMany') return ['delete']
  if (deed === 'replace') return ['update', 'create']
  if (BODY_DEEDS.includes(deed)) return ['update']
  return DATA_READS.includes(deed) && deed !== 'database' ? ['read'] : []
}
