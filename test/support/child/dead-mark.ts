import { processMark } from '../../../src/storage/file/process-mark.ts'

/** The mark of a process that has ended: no system gives this number to one. */
export function deadMark(): string {
  return `${processMark().split('-')[0]}-2000000000-1`
}
