import { isWork, type Work, workAtOnce } from '../../src/work/in-slices.ts'

/** Runs a value that may be work to its end, and returns the result. */
export function done<T>(value: T | Work<T>): T {
  return isWork(value) ? workAtOnce(value) : value
}
