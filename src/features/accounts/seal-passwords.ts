import { CURRENT_PASSWORD, PASSWORD } from '../../config/resource-config.ts'
import type { Change, Proof } from '../../core/engine/change.ts'
import { hiddenValue } from '../../core/engine/rules/served-fields.ts'
import type { Row } from '../../core/engine/types.ts'
import { passwordFault, refuseFields } from '../../core/layers/accounts/fields.ts'
import { hashPassword, isPassword } from '../../core/layers/accounts/passwords.ts'
import type { HashedPasswords, PasswordHasherClient, PasswordHasherOf } from '../../core/router/context.ts'

/** Hashes the passwords in a write, and requires the current password to change one. */
export function sealPasswords(collection: string): PasswordHasherOf {
  return (req) => (change, client) => {
    if (!('collection' in change) || change.collection !== collection) return undefined
    const users = [...sentIn(change)]
    const sent = users.flatMap((user) => valueIn(user, PASSWORD))
    if (sent.length === 0) return undefined
    const current = users.flatMap((user) => valueIn(user, CURRENT_PASSWORD)).at(-1)
    const isWanted = () => !req?.socket.destroyed
    return sealAll(sent, isWanted, () => proofOf(change, current?.value, client, isWanted))
  }
}

interface SentValue {
  readonly path: string
  readonly value: unknown
}

async function sealAll(
  sent: readonly SentValue[],
  isWanted: () => boolean,
  prove: () => ReturnType<typeof proofOf>,
): Promise<HashedPasswords> {
  refuseFields(Object.fromEntries(sent.map(({ path, value }) => [path, passwordFault(value)])))
  const proof = await prove()
  const seals: [string, string][] = []
  // One after the other: a long list must not block logins.
  for (const password of new Set(sent.map(({ value }) => String(value)))) {
    seals.push([password, await hashPassword(password, isWanted)])
  }
  return { seals, proof }
}

type SentUser = readonly [prefix: string, fields: Row]

/** The fields of users that a change sets. The engine refuses any other way to set a password. */
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

function valueIn([prefix, fields]: SentUser, name: string): SentValue[] {
  return Object.hasOwn(fields, name) ? [{ path: `${prefix}${name}`, value: fields[name] }] : []
}

/**
 * Proves that a client knows the password that it changes; undefined for an admin, who need not. The engine compares it
 * with each row that the change affects.
 * @param current the password that the client says is the current one
 */
async function proofOf(
  change: Change,
  current: unknown,
  { engine, access }: PasswordHasherClient,
  isWanted: () => boolean,
): Promise<Proof | undefined> {
  if (change.kind === 'insert' || !('collection' in change)) return undefined
  if (current === undefined || current === '') {
    return access && !access.isAdmin
      ? { of: undefined, fault: faultOf('is required to change the password') }
      : undefined
  }
  if (typeof current !== 'string') return { of: undefined, fault: faultOf('must be a string') }
  // A filter may match rows of other users, whose password the client does not know.
  const id = 'id' in change ? change.id : access?.user
  const { collection } = change
  const row = id === undefined ? undefined : (await engine.read({ kind: 'item', collection, id })).found
  const stored = row && hiddenValue(row, PASSWORD)
  const isRight = await isPassword(current, String(stored ?? ''), isWanted)
  return { of: isRight ? stored : undefined, fault: faultOf('is wrong') }
}

function faultOf(message: string): Proof['fault'] {
  return { path: CURRENT_PASSWORD, message }
}
