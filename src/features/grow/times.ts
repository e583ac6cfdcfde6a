import type { Maker } from './maker.ts'

/** How a moment is written: `2026-01-31`, `2026-01-31T12:00:00.000Z`, `2026-01-31 12:00`, `12:00:00`. */
interface TimeStyle {
  readonly hasDate: boolean
  /** Between date and time; empty without a time. */
  readonly separator: string
  readonly hasSeconds: boolean
  /** Digits after the seconds. */
  readonly fraction: number
  /** `Z`, `+02:00` or nothing. */
  readonly zone: string
}

export interface Moment {
  /** Milliseconds since 1970, in UTC where no zone is named. */
  readonly time: number
  readonly style: TimeStyle
}

const TIME =
  /^(?:(\d{4})-(\d\d)-(\d\d)(?=[T ]|$))?([T ]?)(?:([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Undefined for what is no date and no time. Never in the zone of this machine, as `Date.parse` may be. */
export function parseTime(text: string): Moment | undefined {
  const match = text.length >= 5 && text.length <= 40 ? TIME.exec(text) : null
  if (!match) return undefined
  const [, year, month = '01', day = '01', separator = '', hour, minute, second, digits = '', zone = ''] =
    match
  const hasDate = year !== undefined
  if (!hasDate && hour === undefined) return undefined
  if ((hasDate && hour !== undefined) !== (separator !== '')) return undefined
  const [h = 0, m = 0, s = 0] = [hour, minute, second].map((part) => Number(part ?? 0))
  const start = Date.UTC(Number(year ?? 1970), Number(month) - 1, Number(day))
  if (new Date(start).getUTCDate() !== Number(day)) return undefined
  const ms = Number(`0.${digits || 0}`) * 1000
  const time = start + ((h * 60 + m) * 60 + s) * 1000 + Math.floor(ms) - offsetOf(zone)
  const style = { hasDate, separator, hasSeconds: second !== undefined, fraction: digits.length, zone }
  return { time, style: hour === undefined ? { ...style, separator: '' } : style }
}

export function formatTime(time: number, style: TimeStyle): string {
  const { hasDate, separator, hasSeconds, fraction, zone } = style
  const iso = new Date(time + offsetOf(zone)).toISOString()
  const date = hasDate ? iso.slice(0, 10) : ''
  if (hasDate && separator === '') return date
  const digits = fraction === 0 ? '' : `.${iso.slice(20, 23).padEnd(fraction, '0').slice(0, fraction)}`
  return `${date}${separator}${iso.slice(11, hasSeconds ? 19 : 16)}${digits}${zone}`
}

/** The smallest difference between two moments of a style, in milliseconds. */
function unitOf({ hasDate, separator, hasSeconds, fraction }: TimeStyle): number {
  if (hasDate && separator === '') return 86_400_000
  if (!hasSeconds) return 60_000
  return fraction === 0 ? 1000 : fraction === 1 ? 100 : fraction === 2 ? 10 : 1
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -offset : offset
}

/** All moments, if every text is one of the same kind: a date, a time, or both. */
export function momentsOf(texts: readonly string[]): readonly Moment[] | undefined {
  const moments: Moment[] = []
  for (const text of texts) {
    const moment = parseTime(text)
    const [first = moment] = moments
    if (!moment || unitOf(moment.style) !== unitOf(first?.style ?? moment.style)) return undefined
    if (moment.style.hasDate !== first?.style.hasDate) return undefined
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
