import { passwordFault } from '../../layers/accounts/password-rule.ts'
import { refuseFields } from '../../layers/accounts/refuse-fields.ts'
import { hashPassword } from '../../layers/login/password-check.ts'
import type { SealOf } from '../../router/context.ts'
import type { Change } from '../../storage/change.ts'
import type { Row } from '../../storage/types.ts'
import type { Config } from '../config/config.ts'
import { type Accounts, accountsOf, PASSWORD } from '../config/sign-in.ts'

/** Passwords in changes of users are stored as hashes, whichever way they come. Undefined where there are no accounts. */
export function sealOf(config: Config): SealOf | undefined {
  const accounts = accountsOf(config)
  return accounts && sealPasswords(accounts)
}

function sealPasswords({ collection }: Accounts): SealOf {
  return (req) => (wanted) => {
    if (!('collection' in wanted) || wanted.collection !== collection) return undefined
    const users = [...sentIn(wanted)]
    const [sent, strays] = [users.flatMap(passwordOf), users.flatMap(strayIn)]
    return sent.length + strays.length > 0 ? seal(sent, strays, () => !req.socket.destroyed) : undefined
  }
}

type SentPassword = readonly [path: string, password: unknown]

/** @throws {StorageError} if one of them cannot be a password */
async function seal(
  sent: readonly SentPassword[],
  strays: readonly (readonly [string, string])[],
  isWanted: () => boolean,
): Promise<(readonly [string, string])[]> {
  const faults = sent.map(([path, password]) => [path, passwordFault(password)] as const)
  refuseFields(Object.fromEntries([...strays, ...faults]))
  const seals: [string, string][] = []
  // One after the other: a long list must not keep others from logging in.
  for (const password of new Set(sent.map(([, one]) => String(one)))) {
    seals.push([password, await hashPassword(password, isWanted)])
  }
  return seals
}

type SentUser = readonly [prefix: string, fields: Row]

/** What a change puts into users, as far as it says so itself: the engine refuses any other way to a password. */
function* sentIn(change: Change): Generator<SentUser> {
  switch (change.kind) {
    case 'insert': {
      const isList = change.isList || change.rows.length > 1
      for (const [at, row] of change.rows.entries()) yield [isList ? `${at}.` : '', row]
      return
    }
    case 'replace':
    case 'merge':
    case 'merge-where':
      yield ['', change.fields]
      return
    case 'patch':
    case 'patch-where': {
      const { patch } = change
      if (patch.format === 'merge-patch') {
        const { [PASSWORD]: password, ...rest } = patch.fields
        yield ['', password === null ? rest : patch.fields]
        return
      }
      for (const operation of patch.operations) {
        if (operation.op !== 'add' && operation.op !== 'replace') continue
        if (operation.path === '') yield ['', Object(operation.value)]
        else yield ['', { [operation.path.slice(1)]: operation.value }]
      }
    }
  }
}

function passwordOf([prefix, fields]: SentUser): SentPassword[] {
  return Object.hasOwn(fields, PASSWORD) ? [[`${prefix}${PASSWORD}`, fields[PASSWORD]]] : []
}

const CURRENT = 'currentPassword'

/** Stored with the row, everybody could read it. */
function strayIn([prefix, fields]: SentUser): [string, string][] {
  return Object.hasOwn(fields, CURRENT)
    ? [[`${prefix}${CURRENT}`, 'is for PATCH /me alone, and never stored']]
    : []
}
