/** A moment (RFC 3339) as a `datetime-local` input shows it, in the time zone of the reader; undefined if it is none. */
export function toLocalTime(text: string): string | undefined {
  if (text === '') return ''
  const moment = MOMENT.test(text) ? new Date(text) : undefined
  if (moment === undefined || Number.isNaN(moment.getTime())) return undefined
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return local.toISOString().replace(/(?:\.000)?Z$/, '')
}

/** The opposite: in UTC, as most APIs write it. */
export function fromLocalTime(value: string): string {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString().replace('.000Z', 'Z')
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i
