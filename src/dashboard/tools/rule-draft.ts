import type { ConnectionFault, FaultRule } from '../../catalogue/faults-info.ts'

/** What the form holds, as typed. */
export interface RuleDraft {
  readonly method: string
  readonly path: string
  readonly outcome: 'status' | 'delay' | ConnectionFault
  readonly status: string
  /** `200`, or a range: `200-800`. */
  readonly delay: string
  /** In percent. */
  readonly rate: string
  readonly skip: string
  readonly times: string
  readonly isAfter: boolean
}

export const EMPTY_DRAFT: RuleDraft = {
  method: '',
  path: '',
  outcome: 'status',
  status: '503',
  delay: '',
  rate: '',
  skip: '',
  times: '',
  isAfter: false,
}

/** The rule of a draft. The server judges it; what cannot be read is sent as typed, so that it says so. */
export function ruleOf(draft: RuleDraft): FaultRule {
  const { method, path, outcome, isAfter } = draft
  const match = { ...(method && { method }), ...(path && { path }) }
  return {
    ...(Object.keys(match).length > 0 && { match }),
    ...numbers({ skip: draft.skip, times: draft.times }),
    ...(draft.rate && { rate: Number(draft.rate) / 100 }),
    ...(draft.delay && { delay: delayOf(draft.delay) }),
    ...(outcome === 'status' && { status: Number(draft.status) }),
    ...(outcome !== 'status' && outcome !== 'delay' && { fault: outcome }),
    ...(isAfter && outcome !== 'truncate' && { when: 'after' }),
  }
}

function numbers(texts: Readonly<Record<string, string>>): Record<string, number> {
  const given = Object.entries(texts).filter(([, text]) => text !== '')
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]))
}

function delayOf(text: string): number | readonly [number, number] {
  const [least = '', most] = text.split(/\s*[-–]\s*/)
  return most === undefined ? Number(least) : [Number(least), Number(most)]
}
