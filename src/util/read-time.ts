/** A time or duration that cannot be read, or is out of range. The message says what to write. */
export class ClockError extends Error {
  override readonly name = 'ClockError'
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Each number needs a unit: `1h30m`, `1.5h`, `500ms`. */
const PLAIN = /^([+-]?)((?:\d{1,15}(?:\.\d{1,9})?(?:ms|[smhdw]))+)$/i
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/gi

/** ISO 8601 durations of a fixed length; the length of months and years depends on when they start. */
const ISO_DURATION =
  /^([+-]?)P(?=[\dT])(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,9})?)S)?)?$/i

export function readDuration(by: unknown): number {
  const milliseconds = typeof by === 'string' ? fromText(by.trim()) : by
  if (typeof milliseconds === 'number' && Number.isFinite(milliseconds)) return Math.round(milliseconds)
  throw new ClockError(
    `${shown(by)} is not a duration. Write "1h", "15m", "1h30m" or "500ms" (units: ms, s, m, h, d, w), "PT1H", ` +
      'or a number of milliseconds.',
  )
}

function fromText(text: string): number | undefined {
  const [, sign, parts] = PLAIN.exec(text) ?? []
  if (parts !== undefined) {
    const sum = [...parts.matchAll(PART)].reduce(
      (total, [, amount, unit = '']) => total + Number(amount) * (UNITS[unit.toLowerCase()] ?? 0),
      0,
    )
    return sign === '-' ? -sum : sum
  }
  const iso = ISO_DURATION.exec(text)
  if (iso === null) return undefined
  const [, isoSign, ...amounts] = iso
  const sum = amounts.reduce(
    (total, amount, place) => total + Number(amount ?? 0) * (UNITS['wdhms'.charAt(place)] ?? 0),
    0,
  )
  return isoSign === '-' ? -sum : sum
}

/** A date alone, or a time with its zone: without one, it would depend on where the server runs. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/i

export function readTime(time: unknown): number {
  const read = time instanceof Date ? time.getTime() : typeof time === 'string' ? parsed(time) : time
  if (typeof read === 'number' && Number.isFinite(read)) return Math.round(read)
  throw new ClockError(
    `${shown(time)} is not a time. Write it with its time zone, such as "2027-01-01T00:00:00Z", or as milliseconds ` +
      'since 1970.',
  )
}

function parsed(text: string): number | undefined {
  const [time, day] = ISO_TIME.exec(text.trim()) ?? []
  return time === undefined || !isDay(day) ? undefined : Date.parse(time)
}

/** To `Date.parse`, 30 February is in March. */
function isDay(day = ''): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return Number.isFinite(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
