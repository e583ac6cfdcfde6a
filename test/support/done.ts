import { isWork, type Work, workAtOnce } from '../../src/work/in-slices.ts'

/** What comes of something that may be work to be done: which is then done, however long it takes. */
export function done<T>(value: T | Work<T>): T {
  return isWork(value) ? workAtOnce(value) : value
}
