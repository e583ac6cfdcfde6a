import type { LayerInfo } from '../../../service-info.ts'
import { type ApiSettings, hasLayer } from '../settings.ts'
import { adminRule, asksForLogin, asksForMore, isForAdmins, isKeptFromSelf, ruleOf } from './access.ts'
import type { ApiError } from './api-error.ts'
import {
  ABOUT,
  ACCOUNT,
  ALL,
  DATA_DEEDS,
  DATA_READS,
  DATA_WRITES,
  type Deed,
  MANAGE,
  WRITES,
} from './deeds.ts'

const guarded = (guard: string, deeds: readonly Deed[] = ALL) => ({
  deeds,
  guard,
  given: (settings: ApiSettings) => hasLayer(settings, guard),
})

/** Whether it matters which page sends a request. */
const isForPages = ({ cookies, persona }: LayerInfo['settings']) => cookies === true || persona === true

const REQUIRED = { status: 401, code: 'AUTH_REQUIRED' }
const FORBIDDEN = { status: 403, code: 'AUTH_FORBIDDEN' }
const ofServer = { when: adminRule, deeds: ALL, given: isForAdmins }

const ACCESS_ERRORS: readonly ApiError[] = [
  {
    ...REQUIRED,
    when: (settings, place) => `you are not logged in, and ${ruleOf(settings, place)}`,
    deeds: DATA_DEEDS,
    given: asksForLogin,
  },
  { ...FORBIDDEN, when: ruleOf, deeds: DATA_DEEDS, given: asksForMore },
  {
    ...FORBIDDEN,
    when: 'a row that would be deleted along is not yours to delete',
    deeds: ['delete', 'deleteMany'],
    given: ({ access }) => access !== undefined,
  },
  { ...REQUIRED, ...ofServer },
  { ...FORBIDDEN, ...ofServer },
]

export const GUARD_ERRORS: readonly ApiError[] = [
  { status: 400, code: 'API_KEY_MALFORMED', when: 'the key is not well formed', ...guarded('api-key') },
  { status: 401, code: 'API_KEY_MISSING', when: 'the header X-API-KEY is missing', ...guarded('api-key') },
  { status: 403, code: 'API_KEY_INVALID', when: 'the key is not known', ...guarded('api-key') },
  { status: 403, code: 'FORBIDDEN_WRITE', when: 'the key may only read', ...guarded('api-key', WRITES) },
  {
    status: 403,
    code: 'AUTH_FORBIDDEN',
    when: 'the key may not read',
    ...guarded('api-key', [...DATA_READS, ...ABOUT]),
  },
  { status: 401, code: 'AUTH_REQUIRED', when: 'the token is missing', ...guarded('bearer') },
  { status: 403, code: 'AUTH_FORBIDDEN', when: 'the token is wrong', ...guarded('bearer') },
  {
    status: 401,
    code: 'AUTH_REQUIRED',
    when: 'the token is missing or has expired',
    ...guarded('jwt', [...DATA_WRITES, ...MANAGE]),
  },
  {
    status: 403,
    code: 'AUTH_FORBIDDEN',
    when: 'the token was not signed here',
    ...guarded('jwt', [...DATA_WRITES, ...MANAGE]),
  },
  { status: 401, code: 'AUTH_REQUIRED', when: 'email or password is wrong', deeds: ['login'] },
  ...ACCESS_ERRORS,
  {
    status: 401,
    code: 'AUTH_REQUIRED',
    when: 'the token has expired, or is not good',
    ...guarded('accounts', [...DATA_DEEDS, ...ABOUT, ...MANAGE, 'seeControl', 'me', 'changeMe']),
  },
  { status: 401, code: 'AUTH_REQUIRED', when: 'you are not logged in', deeds: ['me', 'changeMe'] },
  { status: 403, code: 'AUTH_FORBIDDEN', when: 'only an admin may change a role', deeds: ['changeMe'] },
  {
    status: 403,
    code: 'AUTH_FORBIDDEN',
    when: 'the rules of the users keep you from your own row',
    deeds: ['me', 'changeMe'],
    given: isKeptFromSelf,
  },
  {
    status: 403,
    code: 'FOREIGN_ORIGIN',
    when: 'a page of another site sends cookies or `X-Mock-User`, and its origin is not in `trustedOrigins`',
    ...guarded('accounts', [...DATA_DEEDS, ...ACCOUNT, 'login']),
    given: ({ layers }) => layers.some(({ name, settings }) => name === 'accounts' && isForPages(settings)),
  },
  {
    status: 422,
    code: 'VALIDATION_FAILED',
    when: 'a field is not what it has to be; `errors` has a message for each',
    deeds: ['register', 'changeMe'],
  },
  {
    status: 409,
    code: 'NOT_UNIQUE',
    when: 'the email or the username is taken; `errors` names the field',
    deeds: ['register', 'changeMe'],
  },
]
