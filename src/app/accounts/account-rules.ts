import type { Rules } from '../../storage/resource-rules.ts'
import { type Accounts, PASSWORD } from '../config/sign-in.ts'

/** What people log in by: no two users have the same. */
const LOGINS: readonly string[] = ['email', 'username']

/** The rules with those of accounts. */
export function withAccounts(
  rules: Rules | undefined,
  accounts: Accounts | undefined,
  now: () => Date,
  ownerIn?: (resource: string) => string,
): Rules | undefined {
  if (!accounts) return rules
  const { collection } = accounts
  const own = { ...rules?.resources.get(collection), hidden: [PASSWORD], uniqueInAnyCase: LOGINS, ownerIn }
  return { now, ...rules, resources: new Map([...(rules?.resources ?? []), [collection, own]]) }
}
