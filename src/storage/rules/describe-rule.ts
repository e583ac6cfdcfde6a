import pluralize from 'pluralize'

/** Who has a right, as the subject of a sentence: `Only the owner, agents and admins` for `owner`, `role:agent`, `role:admin`. */
export function describeRule(who: readonly string[]): string {
  if (who.includes('anyone')) return 'Anyone'
  const names = who.filter((one) => one !== 'nobody').map(describeClients)
  const last = names.pop()
  if (last === undefined) return 'Nobody'
  return `Only ${names.length > 0 ? `${names.join(', ')} and ` : ''}${last}`
}

function describeClients(who: string): string {
  if (who === 'owner') return 'the owner'
  if (who === 'signed-in') return 'logged-in users'
  return pluralize(who.replace(/^role:/, ''))
}
