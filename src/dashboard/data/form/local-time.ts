/** A moment (RFC 3339) as a `datetime-local` input shows it, in the time zone of the reader; undefined if it is none. */
export function toLocalTime(text: string): string | undefined {
  if (text === '') return ''
  const moment = MOMENT.test(text) ? new Date(text) : undefined
  if (moment === undefined || Number.isNaN(moment.getTime())) return undefined
  const [year, ...rest] = [
    moment.getFullYear(),
    moment.getMonth() + 1,
    moment.getDate(),
    moment.getHours(),
    moment.getMinutes(),
    moment.getSeconds(),
  ].map((part) => String(part).padStart(2, '0'))
  const [month, day, hours, minutes, seconds] = rest
  const fraction =
    moment.getMilliseconds() === 0 ? '' : `.${String(moment.getMilliseconds()).padStart(3, '0')}`
  return `${year?.padStart(4, '0')}-${month}-${day}T${hours}:${minutes}:${seconds}${fraction}`
}

/** The opposite: in UTC, as most APIs write it. */
export function fromLocalTime(value: string): string {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString().replace('.000Z', 'Z')
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i
