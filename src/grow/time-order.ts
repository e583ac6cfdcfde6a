import type { Random } from '../util/random.ts'
import type { Row } from './maker.ts'
import { formatTime, parseTime, unitOf } from './times.ts'

/** Columns of dates that are compared with one another. */
const MOST_COLUMNS = 20

interface Column {
  readonly name: string
  /** Of each object; undefined where there is none. */
  readonly times: readonly (number | undefined)[]
  readonly earliest: number
  readonly latest: number
}

interface Link {
  readonly later: Column
  /** All columns that are never later. The last of them is the closest. */
  readonly earlier: readonly Column[]
  /** Between the closest one and this, in each object that has both. */
  readonly gaps: readonly number[]
}

/** Changes dates of a new object so that they are in the order in which those of all objects are. */
export function timeOrder(objects: readonly Row[]): (row: Row, sent: Row, random: Random) => void {
  const links = linksOf(columnsOf(objects))
  return (row, sent, random) => {
    for (const { later, earlier, gaps } of links) {
      const time = timeOf(row[later.name])
      if (time === undefined) continue
      const isSent = Object.hasOwn(sent, later.name)
      const before = earlier.flatMap(({ name }) => {
        const each = timeOf(row[name])
        if (isSent && each !== undefined && each > time && !Object.hasOwn(sent, name))
          row[name] = rewrite(row[name], time)
        return each ?? []
      })
      const least = before.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
      if (isSent || before.length === 0) continue
      const gap = random.pick(gaps)
      const wanted = Math.min((before.at(-1) ?? time) + gap, later.latest)
      row[later.name] = rewrite(row[later.name], wanted, Math.max(later.earliest, least))
    }
  }
}

function columnsOf(objects: readonly Row[]): readonly Column[] {
  const names = new Set<string>()
  for (const object of objects)
    for (const name of Object.keys(object)) if (timeOf(object[name]) !== undefined) names.add(name)
  const columns = [...names].slice(0, MOST_COLUMNS).map((name) => {
    const values = objects.map((object) => (Object.hasOwn(object, name) ? object[name] : undefined))
    const times = values.map(timeOf)
    const isPure = values.every(
      (value, at) => value === undefined || value === null || times[at] !== undefined,
    )
    const earliest = times.reduce<number>((a, b) => Math.min(a, b ?? a), Number.POSITIVE_INFINITY)
    const latest = times.reduce<number>((a, b) => Math.max(a, b ?? a), Number.NEGATIVE_INFINITY)
    return { name, times, isPure, earliest, latest }
  })
  return columns.filter(({ isPure }) => isPure)
}

/** Of columns that are always equal, the first counts as the earlier one. */
function linksOf(columns: readonly Column[]): readonly Link[] {
  const isBefore = (one: Column, other: Column) => {
    if (!isNeverLater(one, other)) return false
    return !isNeverLater(other, one) || columns.indexOf(one) < columns.indexOf(other)
  }
  const preceding = new Map(
    columns.map((later) => [later, columns.filter((one) => one !== later && isBefore(one, later))]),
  )
  const countOf = (column: Column) => preceding.get(column)?.length ?? 0
  return columns
    .map((later) => {
      const earlier = [...(preceding.get(later) ?? [])].sort((a, b) => countOf(a) - countOf(b))
      const closest = earlier.at(-1)
      const gaps = later.times.flatMap((time, at) => {
        const before = closest?.times[at]
        return time === undefined || before === undefined ? [] : [time - before]
      })
      return { later, earlier, gaps }
    })
    .filter(({ earlier }) => earlier.length > 0)
    .sort((a, b) => a.earlier.length - b.earlier.length)
}

function isNeverLater(one: Column, other: Column): boolean {
  let both = 0
  for (const [at, time] of one.times.entries()) {
    const after = other.times[at]
    if (time === undefined || after === undefined) continue
    if (time > after) return false
    both++
  }
  return both > 1
}

/** Dates, and milliseconds since 1970, as `Date.now()` makes them. Times of day have no order. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && value > 1e11 && value < 1e13 ? value : undefined
  const moment = typeof value === 'string' ? parseTime(value) : undefined
  return moment?.style.hasDate ? moment.time : undefined
}

/** Another time, written like `value`: rounded down, but not below `least`. */
function rewrite(value: unknown, time: number, least = Number.NEGATIVE_INFINITY): unknown {
  const style = typeof value === 'string' ? parseTime(value)?.style : undefined
  if (!style) return Math.max(time, least)
  const unit = unitOf(style)
  const floor = (moment: number) => Math.floor(moment / unit) * unit
  return formatTime(floor(time) < least ? floor(least + unit - 1) : floor(time), style)
}
