import type { Maker } from './maker.ts'

/** A date, a time, or both: `2026-01-31`, `2026-01-31T12:00:00.000Z`, `2026-01-31 12:00`, `12:00:00`. */
interface Moment {
  readonly text: string
  /** The time on the clock there, in milliseconds since 1970. */
  readonly time: number
  /** The smallest difference between two moments that are written so, in milliseconds; of times without a date, negative. */
  readonly unit: number
}

const DATE = /\d{4}-\d\d-\d\d/
const CLOCK = /\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?/
const MOMENT = new RegExp(
  `^(?:(${DATE.source})(?:[T ](?=\\d)|$))?(?:(${CLOCK.source})(?:Z|[+-]\\d\\d:?\\d\\d)?)?$`,
)

/** Undefined for what is no date and no time. Never in the zone of this machine, as `Date.parse` may be. */
function parseTime(text: string): Moment | undefined {
  const [whole, date, clock = ''] = MOMENT.exec(text) ?? []
  if (!whole) return undefined
  const written = `${date ?? '1970-01-01'}T${clock || '00:00'}`
  const time = Date.parse(`${written}Z`)
  // `Date.parse` knows a 30th of February, and an hour 24.
  if (!(Number.isFinite(time) && new Date(time).toISOString().startsWith(written.slice(0, 16))))
    return undefined
  const unit = clock === '' ? 86_400_000 : clock.length === 5 ? 60_000 : clock.length === 8 ? 1000 : 1
  return { text, time, unit: date === undefined ? -unit : unit }
}

/** The time as a moment is written. */
function writtenLike({ text }: Moment, time: number): string {
  const [date = '', clock = ''] = new Date(time).toISOString().split('T')
  return text
    .replace(DATE, date)
    .replace(CLOCK, ({ length }) => clock.slice(0, Math.min(length, 12)).padEnd(length, '0'))
}

/** All moments, if every text is one of the same kind: a date, a time, or both. */
export function momentsOf(texts: readonly string[]): readonly Moment[] | undefined {
  const moments: Moment[] = []
  for (const text of texts) {
    const moment = parseTime(text)
    if (!moment || moment.unit !== (moments[0] ?? moment).unit) return undefined
    moments.push(moment)
  }
  return moments
}

/** Moments between the first and the last, written like all of them. */
export function timeMaker(moments: readonly Moment[]): Maker<string> {
  const unit = Math.abs(moments[0]?.unit ?? 1)
  const first = moments.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY)
  const last = moments.reduce((most, { time }) => Math.max(most, time), Number.NEGATIVE_INFINITY)
  const count = Math.floor((last - first) / unit) + 1
  return (random) => writtenLike(random.pick(moments), first + random.below(count) * unit)
}
