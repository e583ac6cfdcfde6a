import { isPassword } from '../../layers/login/is-password.ts'
import type { RouterContext } from '../../router/context.ts'
import type { Change, Proof } from '../../storage/change.ts'
import { hiddenValue } from '../../storage/hidden/hidden-fields.ts'
import { CURRENT_PASSWORD, PASSWORD } from '../config/sign-in.ts'

/**
 * What shows that a client knows the password that it changes. The engine compares it with each row that the change finds:
 * only there is it known which those are, and that the client may change them. Undefined for an admin, who need not know it.
 * @param current the password that the client says is the current one
 */
export async function proofOf(
  wanted: Change,
  current: unknown,
  { engine, view }: Pick<RouterContext, 'engine' | 'view'>,
  isWanted: () => boolean,
): Promise<Proof | undefined> {
  if (wanted.kind === 'insert' || !('collection' in wanted)) return undefined
  if (current === undefined || current === '') {
    return view && !view.isAdmin
      ? { of: undefined, fault: faultOf('is required to change the password') }
      : undefined
  }
  if (typeof current !== 'string') return { of: undefined, fault: faultOf('must be a string') }
  // Of the rows that a filter finds, nobody knows more than their own password.
  const id = 'id' in wanted ? wanted.id : view?.user
  const { collection } = wanted
  const row = id === undefined ? undefined : (await engine.read({ kind: 'item', collection, id })).found
  const stored = row && hiddenValue(row, PASSWORD)
  const isRight = await isPassword(current, String(stored ?? ''), isWanted)
  return { of: isRight ? stored : undefined, fault: faultOf('is wrong') }
}

function faultOf(message: string): Proof['fault'] {
  return { path: CURRENT_PASSWORD, message }
}
