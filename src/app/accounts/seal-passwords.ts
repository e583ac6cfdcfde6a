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
    const sent = [...passwordsIn(wanted)]
    return sent.length > 0 ? seal(sent, () => !req.socket.destroyed) : undefined
  }
}

type SentPassword = readonly [path: string, password: unknown]

/** @throws {StorageError} if one of them cannot be a password */
async function seal(
  sent: readonly SentPassword[],
  isWanted: () => boolean,
): Promise<(readonly [string, string])[]> {
  refuseFields(Object.fromEntries(sent.map(([path, password]) => [path, passwordFault(password)])))
  const seals: [string, string][] = []
  // One after the other: a long list must not keep others from logging in.
  for (const password of new Set(sent.map(([, one]) => String(one)))) {
    seals.push([password, await hashPassword(password, isWanted)])
  }
  return seals
}

/** What a change puts into the field, as far as it says so itself: the engine refuses anything else. */
function* passwordsIn(change: Change): Generator<SentPassword> {
  switch (change.kind) {
    case 'insert': {
      const isList = change.isList || change.rows.length > 1
      for (const [at, row] of change.rows.entries()) yield* passwordOf(row, isList ? `${at}.` : '')
      return
    }
    case 'replace':
    case 'merge':
    case 'merge-where':
      return yield* passwordOf(change.fields)
    case 'patch':
    case 'patch-where': {
      const { patch } = change
      if (patch.format === 'merge-patch') {
        if (patch.fields[PASSWORD] !== null) yield* passwordOf(patch.fields)
        return
      }
      for (const operation of patch.operations) {
        if (operation.op !== 'add' && operation.op !== 'replace') continue
        if (operation.path === `/${PASSWORD}`) yield [PASSWORD, operation.value]
        else if (operation.path === '') yield* passwordOf(Object(operation.value))
      }
    }
  }
}

function* passwordOf(fields: Row, prefix = ''): Generator<SentPassword> {
  if (Object.hasOwn(fields, PASSWORD)) yield [`${prefix}${PASSWORD}`, fields[PASSWORD]]
}
