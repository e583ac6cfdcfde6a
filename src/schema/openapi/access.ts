import { BODY_WRITES, DATA_READS, type OperationKind } from '../../catalogue/operation-kinds.ts'
import type { AccessInfo } from '../../catalogue/service-info.ts'
import type { Place } from './place.ts'
import { type ApiSettings, hasLayer, optionOf } from './settings.ts'

type Action = Exclude<keyof AccessInfo, 'owner' | 'isDeclared'>

/** Who may do what an operation does: `update is for owner or role:admin`. */
export function ruleOf(settings: ApiSettings, place: Place): string {
  const rules = rulesFor(settings, place)
  return rules.map(([action, who]) => `${action} is for ${who.join(' or ')}`).join('; ')
}

export function loginRule(settings: ApiSettings, place: Place): string {
  return `you are not logged in, and ${ruleOf(settings, place)}`
}

export function asksForLogin(settings: ApiSettings, place: Place): boolean {
  return rulesFor(settings, place).some(([, who]) => !who.includes('anyone'))
}

export function asksForMore(settings: ApiSettings, place: Place): boolean {
  return rulesFor(settings, place).some(([, who]) => !who.includes('anyone') && !who.includes('signed-in'))
}

/** Whether a rule may keep users from reading their own row, or from changing it. */
export function isKeptFromSelf(settings: ApiSettings, { method }: Place): boolean {
  const access = settings.access?.(String(optionOf(settings, 'accounts', 'collection')))
  const rules = access ? [access.read, ...(method === 'get' ? [] : [access.update])] : []
  return rules.some((who) => !SELF.some((one) => who.includes(one)))
}

const SELF = ['anyone', 'signed-in', 'owner']

/** What concerns everybody: all data together, other people's sessions, the server itself. */
export function isForAdmins(settings: ApiSettings, { isFor }: Place): boolean {
  return hasLayer(settings, 'accounts') && isFor !== undefined
}

/** `this is for role:admin, except in a session` */
export function adminRule(_: ApiSettings, { isFor = 'admins' }: Place): string {
  return `this is for ${isFor.replace('admins', 'role:admin')}`
}

function rulesFor({ access: accessOf }: ApiSettings, { kind, tag }: Place) {
  const access = accessOf?.(tag)
  return access ? actionsOf(kind).map((action) => [action, access[action]] as const) : []
}

/** A PUT may create what it does not find. */
function actionsOf(kind: OperationKind): readonly Action[] {
  if (kind === 'create') return ['create']
  if (kind === 'delete' || kind === 'deleteMany') return ['delete']
  if (kind === 'replace') return ['update', 'create']
  if (BODY_WRITES.includes(kind)) return ['update']
  return DATA_READS.includes(kind) && kind !== 'database' ? ['read'] : []
}
