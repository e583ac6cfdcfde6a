import { describeRule } from '../../../core/engine/rules/rights.ts'
import {
  BODY_WRITES,
  DATA_READS,
  IDENTIFIED,
  type OperationKind,
} from '../../../core/kernel/catalogue/operation-kinds.ts'
import type { AccessAction } from '../../../core/kernel/catalogue/service-info.ts'
import {
  type ApiSettings,
  hasLayer,
  isGuarded,
  isPublic,
  type OperationContext,
  optionOf,
} from './settings.ts'

interface Guard {
  readonly layer: string
  readonly scheme: object
  readonly asks?: (settings: ApiSettings, place: OperationContext) => boolean
}

const GUARDS: readonly Guard[] = [
  { layer: 'api-key', scheme: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
  { layer: 'bearer', scheme: { type: 'http', scheme: 'bearer' } },
  {
    layer: 'jwt',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /login' },
    asks: (_, place) => isGuarded(place) && IDENTIFIED.includes(place.kind),
  },
  {
    layer: 'accounts',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /login' },
    asks: (settings, place) =>
      place.kind === 'me' || asksForLogin(settings, place) || isForAdmins(settings, place),
  },
]

const COOKIE = 'accounts-cookie'
const hasCookie = (settings: ApiSettings) => optionOf(settings, 'accounts', 'cookies') === true

/** The credentials that all guards of a path ask for. */
export function securityOf(place: OperationContext, settings: ApiSettings): readonly object[] {
  const asking = GUARDS.filter(
    ({ layer, asks }) =>
      hasLayer(settings, layer) &&
      !isPublic(settings, layer, place.path) &&
      (asks?.(settings, place) ?? true),
  ).map(({ layer }) => [layer, []] as const)
  const needed = Object.fromEntries(asking)
  const more = { ...needed, accounts: [] }
  const { accounts, ...others } = more
  const ways = hasCookie(settings) ? [more, { ...others, [COOKIE]: accounts }] : [more]
  if ('accounts' in needed) return ways
  const isOfUse = rulesFor(settings, place).some(({ who }) => !who.includes('anyone'))
  if (isOfUse) return [needed, ...ways]
  return asking.length === 0 ? [] : [needed]
}

export function securitySchemes(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries([
    ...GUARDS.filter(({ layer }) => hasLayer(settings, layer)).map(({ layer, scheme }) => [layer, scheme]),
    ...(hasCookie(settings) ? [[COOKIE, { type: 'apiKey', in: 'cookie', name: 'access_token' }]] : []),
  ])
}

/** Who may do what an operation does: `only the owner and admins can update`. */
export function ruleOf(settings: ApiSettings, place: OperationContext): string {
  const rules = rulesFor(settings, place)
  return rules
    .map(({ action, who }) => `${uncapitalized(describeRule(who, action))} can ${action}`)
    .join('; ')
}

export function loginRule(settings: ApiSettings, place: OperationContext): string {
  return `you are not logged in, and ${ruleOf(settings, place)}`
}

function asksForLogin(settings: ApiSettings, place: OperationContext): boolean {
  return rulesFor(settings, place).some(({ isOpen }) => !isOpen)
}

/** For some rows at least. */
export function mayAskForLogin(settings: ApiSettings, place: OperationContext): boolean {
  return refusing(settings, place).length > 0
}

export function asksForMore(settings: ApiSettings, place: OperationContext): boolean {
  return refusing(settings, place).some(({ who }) => !who.includes('signed-in'))
}

/** Where some rows are open to everybody, reads of others find nothing, and writes of them are refused. */
function refusing(settings: ApiSettings, place: OperationContext) {
  return rulesFor(settings, place).filter(({ action, who, isOpen }) =>
    action === 'read' ? !isOpen : !who.includes('anyone'),
  )
}

/** Whether a rule may keep users from reading their own row, or from changing it. */
export function isKeptFromSelf(settings: ApiSettings, { method }: OperationContext): boolean {
  const access = settings.access?.(String(optionOf(settings, 'accounts', 'collection')))
  const rules = access ? [access.read, ...(method === 'get' ? [] : [access.update])] : []
  return rules.some((who) => !SELF.some((one) => who.includes(one)))
}

const SELF = ['anyone', 'signed-in', 'owner']

/** Operations on all data together, other sessions, or the server itself. */
export function isForAdmins(settings: ApiSettings, { isFor }: OperationContext): boolean {
  return hasLayer(settings, 'accounts') && isFor !== undefined
}

export function adminRule(_: ApiSettings, { isFor = 'admins' }: OperationContext): string {
  return `only admins can do this${isFor === 'admins' ? '' : ', except in a session'}`
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function rulesFor({ access: accessOf }: ApiSettings, { kind, tag }: OperationContext) {
  const access = accessOf?.(tag)
  if (!access) return []
  const { withoutLogin } = access
  return actionsOf(kind).map((action) => {
    return { action, who: access[action], isOpen: withoutLogin.includes(action) }
  })
}

/** A PUT may create what it does not find. */
function actionsOf(kind: OperationKind): readonly AccessAction[] {
  if (kind === 'create') return ['create']
  if (kind === 'delete' || kind === 'deleteMany') return ['delete']
  if (kind === 'replace') return ['update', 'create']
  if (BODY_WRITES.includes(kind)) return ['update']
  return DATA_READS.includes(kind) && kind !== 'database' ? ['read'] : []
}
