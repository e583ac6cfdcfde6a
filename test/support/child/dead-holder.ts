import { lockHolder } from '../../../src/stores/file/lock-holder.ts'

/** A process that has ended, as a lock names it: no system gives this number to one. */
export function deadHolder(): string {
  return `2000000000 1 ${lockHolder().split(' ')[2]}`
}
