import type { ApiSettings, Enforced } from '../settings.ts'
import { DATA_READS, DATA_WRITES, type Deed, MANAGE } from './deeds.ts'

const enforced =
  (rule: keyof Enforced) =>
  ({ enforced: of }: ApiSettings, resource: string) =>
    of?.(resource)[rule] === true

const REQUIRED = { status: 401, code: 'AUTH_REQUIRED' }
const FORBIDDEN = { status: 403, code: 'AUTH_FORBIDDEN' }
const reads = { deeds: DATA_READS, given: enforced('guardsReads') }
const writes = { deeds: DATA_WRITES, given: enforced('guardsWrites') }
const ofServer: readonly Deed[] = [...MANAGE, 'oversee', 'getSnapshot', 'seeControl']
const managing = { deeds: ofServer, given: ({ hasAccess }: ApiSettings) => hasAccess === true }

/** What the rules of a resource refuse, by who asks. */
export const ACCESS_ERRORS = [
  { ...REQUIRED, when: 'you are not logged in, and may not read without', ...reads },
  { ...FORBIDDEN, when: 'the user may not read; the message names the rule', ...reads },
  { ...REQUIRED, when: 'you are not logged in, and may not do this without', ...writes },
  { ...FORBIDDEN, when: 'the user may not do this; the message names the rule', ...writes },
  { ...REQUIRED, when: 'you are not logged in as an admin', ...managing },
  { ...FORBIDDEN, when: 'the user is not an admin', ...managing },
]
