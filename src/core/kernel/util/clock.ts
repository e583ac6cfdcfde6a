export interface ClockSetting {
  /** ISO 8601 with a time zone, milliseconds since 1970, or a date. By default, the current one. */
  readonly now?: string | number | Date
  readonly frozen?: boolean
}

export interface ClockFace {
  readonly now: string
  readonly frozen: boolean
  readonly real: string
  /** Milliseconds ahead of the system's clock; negative if behind. */
  readonly offset: number
}

/** Snapshots are named by time, so not before 1970; ISO dates end with the year 9999. */
const FIRST = 0
const LAST = Date.UTC(10_000, 0) - 1

const LONGEST_WAIT = 2 ** 31 - 1

interface Alarm {
  readonly time: number
  readonly act: (isMoved: boolean) => unknown
  timer: NodeJS.Timeout | undefined
}

/** The server's time: the system's until it is set. Timeouts, sockets, files and locks use real time instead. */
export class Clock {
  /** Undefined while it shows the system's time. */
  #setTo: number | undefined
  #isFrozen = false
  #changedAt = 0
  #steadyAt = 0
  #stepsBack = 0
  readonly #alarms = new Set<Alarm>()
  readonly #running = new Set<Promise<unknown>>()

  copy(): Clock {
    const copy = new Clock()
    copy.#setTo = this.#setTo
    copy.#isFrozen = this.#isFrozen
    copy.#changedAt = this.#changedAt
    copy.#steadyAt = this.#steadyAt
    copy.#stepsBack = this.#stepsBack
    return copy
  }

  /** Milliseconds since 1970. */
  now(): number {
    if (this.#setTo === undefined) return Date.now()
    return this.#isFrozen ? this.#setTo : this.#setTo + Math.floor(performance.now() - this.#changedAt)
  }

  date(): Date {
    return new Date(this.now())
  }

  iso(): string {
    return this.date().toISOString()
  }

  /** Never decreases, for time windows. Counts steps forward of this clock; a step back changes `stepsBack`. */
  steady(): number {
    return this.#isFrozen ? this.#steadyAt : this.#steadyAt + (performance.now() - this.#changedAt)
  }

  /** Code that measures time with `steady` starts again when it changes. */
  get stepsBack(): number {
    return this.#stepsBack
  }

  get isReal(): boolean {
    return this.#setTo === undefined
  }

  get face(): ClockFace {
    const [now, real] = [this.now(), Date.now()]
    const offset = this.isReal ? 0 : now - real
    return {
      now: new Date(now).toISOString(),
      frozen: this.#isFrozen,
      real: new Date(real).toISOString(),
      offset,
    }
  }

  /**
   * Runs on from there unless it is frozen.
   * @example clock.set({ now: '2027-01-01T00:00:00Z', frozen: true })
   */
  set({ now, frozen = false }: ClockSetting): void {
    const shown = this.now()
    this.#move(shown, now === undefined ? shown : readTime(now), frozen)
  }

  /** Stands still until it is set or reset; `advance` moves it, still frozen. */
  freeze(): void {
    this.set({ frozen: true })
  }

  /**
   * By milliseconds, or `"1h"`, `"15m"`, `"1h30m"`, `"500ms"`, `"PT1H"`; back if negative.
   * @example clock.advance('1h')
   */
  advance(by: string | number): void {
    const shown = this.now()
    this.#move(shown, shown + readDuration(by), this.#isFrozen)
  }

  reset(): void {
    if (!this.isReal) this.#change(Date.now() - this.now(), undefined, false)
  }

  /**
   * Calls a function once the clock reaches this time (ms since 1970), or immediately. Returns how to cancel.
   * @param act gets whether the clock was moved there: then others may be due as well, which come in the order of time
   */
  at(time: number, act: (isMoved: boolean) => unknown): () => void {
    const alarm: Alarm = { time, act, timer: undefined }
    this.#alarms.add(alarm)
    this.#wind(alarm)
    return () => this.#drop(alarm)
  }

  /** Resolves once everything that was due has ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** @param from the current time, read once: a millisecond that passes in between is not a step back */
  #move(from: number, to: number, frozen: boolean): void {
    if (to < FIRST || to > LAST) {
      throw new ClockError('The clock shows times from 1970 to 9999. Choose one of those.')
    }
    this.#change(to - from, to, frozen)
  }

  #change(step: number, setTo: number | undefined, frozen: boolean): void {
    if (step < 0) this.#stepsBack += 1
    this.#steadyAt = this.steady() + Math.max(0, step)
    this.#changedAt = performance.now()
    this.#setTo = setTo
    this.#isFrozen = frozen
    for (const alarm of [...this.#alarms].sort((a, b) => a.time - b.time)) this.#wind(alarm, true)
  }

  /** Runs a due alarm, or starts its timer unless the clock is frozen. */
  #wind(alarm: Alarm, isMoved = false): void {
    clearTimeout(alarm.timer)
    const wait = alarm.time - this.now()
    if (wait <= 0) {
      this.#drop(alarm)
      const done = alarm.act(isMoved)
      if (!(done instanceof Promise)) return
      const running = done.finally(() => this.#running.delete(running))
      this.#running.add(running)
    } else if (!this.#isFrozen) {
      alarm.timer = setTimeout(() => this.#wind(alarm), Math.min(wait, LONGEST_WAIT)).unref()
    }
  }

  #drop(alarm: Alarm): void {
    clearTimeout(alarm.timer)
    this.#alarms.delete(alarm)
  }
}

/** An unreadable or out-of-range time or duration. The message says what to write. */
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

/** Of fixed length: that of months and years depends on when they start. */
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
  const plain = PLAIN.exec(text)
  const [, sign, ...amounts] = plain ?? ISO_DURATION.exec(text) ?? []
  if (sign === undefined) return undefined
  const parts = plain
    ? [...text.matchAll(PART)].map(([, amount, unit = '']) => [amount, unit.toLowerCase()] as const)
    : amounts.map((amount, at) => [amount, 'wdhms'.charAt(at)] as const)
  const sum = parts.reduce((total, [amount = 0, unit]) => total + Number(amount) * (UNITS[unit] ?? 0), 0)
  return sign === '-' ? -sum : sum
}

/** A date, or a time with its zone: without one, it would depend on where the server runs. */
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

/** `Date.parse` accepts 30 February. */
function isDay(day = ''): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return Number.isFinite(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
