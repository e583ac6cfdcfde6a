import { emailFault } from '../../layers/accounts/field-faults.ts'
import type { FieldFault, Rules } from '../../storage/resource-rules.ts'
import type { Row } from '../../storage/types.ts'
import { type Accounts, CURRENT_PASSWORD, PASSWORD } from '../config/sign-in.ts'

const EMAIL = 'email'

/** What people log in by: no two users have the same. */
const LOGINS: readonly string[] = [EMAIL, 'username']

/** The rules with those of accounts. */
export function withAccounts(
  rules: Rules | undefined,
  accounts: Accounts | undefined,
  now: () => Date,
  ownerIn?: (resource: string) => string,
): Rules | undefined {
  if (!accounts) return rules
  const { collection } = accounts
  const own = {
    ...rules?.resources.get(collection),
    hidden: [PASSWORD],
    unstored: [CURRENT_PASSWORD],
    uniqueInAnyCase: LOGINS,
    faultsOf: emailFaults,
    ownerIn,
  }
  return { now, ...rules, resources: new Map([...(rules?.resources ?? []), [collection, own]]) }
}

/** An email that a write changes is an email address. Only who sends a whole row may leave it out. */
function emailFaults(row: Row, old: Row | undefined, isWhole: boolean): readonly FieldFault[] {
  const [next, before] = [row, old ?? {}].map((one) => (Object.hasOwn(one, EMAIL) ? one[EMAIL] : undefined))
  if (next === before || (isWhole && !Object.hasOwn(row, EMAIL))) return []
  const message = emailFault(next)
  return message === undefined ? [] : [{ path: EMAIL, message }]
}
