import type { RunningServer } from '../index.ts'

/** Whether the data is in a database, which keeps snapshots, too. */
export function isDatabase({ source = '' }: RunningServer['config']): boolean {
  return /^postgres(ql)?:/i.test(source)
}
