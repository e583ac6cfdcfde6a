import { getOrMake } from '../../util/get-or-make.ts'
import { Turns } from '../../util/turns.ts'
import type { Database } from '../data/database.ts'

/** Several engines may serve one object: no two may make the same id. */
export interface Saving {
  readonly turns: Turns
  /** What a change that is being saved leaves. The object does not have it yet. */
  coming?: Database | undefined
}

const savings = new WeakMap<object, Saving>()

/** @param before of an object whose place this one takes: it is the same, unless others serve this one */
export function savingOf(object: object, before: Saving = { turns: new Turns() }): Saving {
  return getOrMake(savings, object, () => before)
}
