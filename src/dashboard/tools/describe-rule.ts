import type { FaultRule } from '../../catalogue/faults-info.ts'

const CONNECTIONS = {
  reset: 'connection reset',
  empty: 'closed without a response',
  hang: 'no response',
  truncate: 'half of the response',
} as const

/** `POST /products` */
export function describeMatch({ match = {} }: FaultRule): string {
  const methods = [match.method ?? 'any'].flat().join(', ')
  return `${methods} ${match.path ?? 'path'}`
}

/** `503, after the write` */
export function describeOutcome({ status, fault, when }: FaultRule): string {
  const what = status === undefined ? (fault ? CONNECTIONS[fault] : 'slow') : String(status)
  return when === 'after' ? `${what}, after the request ran` : what
}

/** When it applies, in a few words; empty if always. */
export function describeTerms({ rate = 1, skip = 0, times, delay }: FaultRule): string {
  return [
    rate < 1 && `${Number((rate * 100).toFixed(2))} %`,
    skip > 0 && `not the first ${skip}`,
    times !== undefined && (times === 1 ? 'once' : `${times} times`),
    delay !== undefined && `after ${[delay].flat().join('–')} ms`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The path of a rule that matches exactly this one: some characters mean something in patterns. */
export function patternFor(path: string): string {
  const [plain = ''] = path.split('?', 1)
  return plain.replace(/[\\:*?+()[\]{}|^$]/g, '\\$&')
}
