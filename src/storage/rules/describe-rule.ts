import pluralize from 'pluralize'
import { type Action, actionOnParent } from './rights.ts'

/** Who has a right, as the subject of a sentence: `Only the owner, agents and admins` for `owner`, `role:agent`, `role:admin`. */
export function describeRule(who: readonly string[], action: Action): string {
  if (who.includes('anyone')) return 'Anyone'
  const isVia = (one: string) => one.startsWith('via:')
  // At the end: the long ones would hide the others.
  const ordered = [...who.filter((one) => !isVia(one) && one !== 'nobody'), ...who.filter(isVia)]
  const names = ordered.map((one) => describeClients(one, action))
  const last = names.pop()
  if (last === undefined) return 'Nobody'
  return `Only ${names.length > 0 ? `${names.join(', ')} and ` : ''}${last}`
}

function describeClients(who: string, action: Action): string {
  if (who === 'owner') return 'the owner'
  if (who === 'signed-in') return 'logged-in users'
  if (who.startsWith('via:'))
    return `users who can ${actionOnParent(action)} the row that ${who.slice(4)} names`
  return pluralize(who.replace(/^role:/, ''))
}
