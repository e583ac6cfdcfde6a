import { adminRule, asksForLogin, asksForMore, isForAdmins, ruleOf } from './access.ts'
import type { ApiError } from './api-error.ts'
import { ALL, DATA_DEEDS } from './deeds.ts'

const REQUIRED = { status: 401, code: 'AUTH_REQUIRED' }
const FORBIDDEN = { status: 403, code: 'AUTH_FORBIDDEN' }
const ofServer = { when: adminRule, deeds: ALL, given: isForAdmins }

/** What the rules of a resource refuse, by who asks. */
export const ACCESS_ERRORS: readonly ApiError[] = [
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
