import type { Maker } from './maker.ts'

/** How a moment is written: `2026-01-31`, `2026-01-31T12:00:00.000Z`, `2026-01-31 12:00`, `12:00:00`. */
interface TimeStyle {
  readonly hasDate: boolean
  /** Between date and time. */
  readonly separator: string
  /** Characters of the time: none, `12:00`, `12:00:00`, or with a fraction. */
  readonly length: number
  /** `Z`, `+02:00` or nothing. */
  readonly zone: string
}

export interface Moment {
  /** The time on the clock there, in milliseconds since 1970. */
  readonly time: number
  readonly style: TimeStyle
}

const TIME =
  /^(?:(\d{4}-\d\d-\d\d)([T ](?=\d))?)?(?:(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** Undefined for what is no date and no time. Never in the zone of this machine, as `Date.parse` may be. */
export function parseTime(text: string): Moment | undefined {
  const [whole, date, separator = '', clock = '', zone = ''] = TIME.exec(text) ?? []
  const hasBoth = date !== undefined && clock !== ''
  if (!whole || hasBoth !== (separator !== '')) return undefined
  const written = `${date ?? '1970-01-01'}T${clock || '00:00'}`
  const time = Date.parse(`${written}Z`)
  // `Date.parse` knows a 30th of February, and an hour 24.
  const isReal = Number.isFinite(time) && new Date(time).toISOString().startsWith(written.slice(0, 16))
  return isReal
    ? { time, style: { hasDate: date !== undefined, separator, length: clock.length, zone } }
    : undefined
}

export function formatTime(time: number, { hasDate, separator, length, zone }: TimeStyle): string {
  const [date = '', clock = ''] = new Date(time).toISOString().split('T')
  const shown = clock.slice(0, Math.min(length, 12)).padEnd(length, '0')
  return `${hasDate ? date : ''}${separator}${shown}${zone}`
}

/** The smallest difference between two moments of a style, in milliseconds. */
function unitOf({ length }: TimeStyle): number {
  return length === 0 ? 86_400_000 : length === 5 ? 60_000 : length === 8 ? 1000 : 1
}

/** All moments, if every text is one of the same kind: a date, a time, or both. */
export function momentsOf(texts: readonly string[]): readonly Moment[] | undefined {
  const moments: Moment[] = []
  for (const text of texts) {
    const moment = parseTime(text)
    const { style = moment?.style } = moments[0] ?? {}
    if (!moment || !style || unitOf(moment.style) !== unitOf(style)) return undefined
    if (moment.style.hasDate !== style.hasDate) return undefined
    moments.push(moment)
  }
  return moments
}

/** Moments between the first and the last, in the styles of all. */
export function timeMaker(moments: readonly Moment[]): Maker<string> {
  const unit = Math.max(...moments.slice(0, 1).map(({ style }) => unitOf(style)))
  const first = moments.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY)
  const last = moments.reduce((most, { time }) => Math.max(most, time), Number.NEGATIVE_INFINITY)
  const count = Math.floor((last - first) / unit) + 1
  return (random) => formatTime(first + random.below(count) * unit, random.pick(moments).style)
}
