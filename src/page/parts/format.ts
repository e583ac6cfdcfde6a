import pluralize from 'pluralize'

const numbers = new Intl.NumberFormat('en')

export function formatCount(count: number): string {
  return numbers.format(count)
}

export function formatMs(ms: number): string {
  return ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 10_000
      ? `${Math.round(ms)} ms`
      : `${(ms / 1000).toFixed(1)} s`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** `09:41:07` in local time, for lists where the day is obvious. */
export function formatClock(iso: string): string {
  return new Date(iso).toLocaleTimeString('en-GB')
}

export function formatMoment(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
}

/** A date, or a date and time, as its reader writes it; undefined for any other text. */
export function formatDate(text: string, locale?: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?))?$/.exec(text) ?? []
  if (day === undefined) return undefined
  // Without a time, a day is a day: midnight in UTC is another one further west.
  const date = new Date(`${day}T${time ?? '00:00'}`)
  if (Number.isNaN(date.getTime())) return undefined
  return date.toLocaleString(locale, {
    dateStyle: 'medium',
    ...(time !== undefined && { timeStyle: 'short' }),
  })
}

/** `2 h 5 min`, `3 days` */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** `+1 h`, also a millisecond before: the clocks that an offset lies between tick at different moments. */
export function formatOffset(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${formatDuration(Math.round(Math.abs(ms) / 1000))}`
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}

/** `ticket 9` of `tickets`, `order item 9` of `order_items`; without an id, `profile`. */
export function rowName(resource: string, id = ''): string {
  return `${pluralize.singular(rowsName(resource))} ${id}`.trimEnd()
}

/** `order items` of `order_items` */
export function rowsName(resource: string): string {
  return resource
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** `1 ticket`, `2 tickets` */
export function countRows(resource: string, count: number): string {
  return `${formatCount(count)} ${count === 1 ? rowName(resource) : rowsName(resource)}`
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
