import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Clock, ClockError, readDuration, readTime } from '../../../../src/core/kernel/util/clock.ts'

const YEAR_2027 = Date.UTC(2027, 0)

afterEach(() => {
  vi.useRealTimers()
})

function stopTime(): void {
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.UTC(2026, 0) })
}

describe('a duration', () => {
  it.each([
    ['1h', 3_600_000],
    ['15m', 900_000],
    ['500ms', 500],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
    ['1w', 604_800_000],
    [' 3s ', 3000],
    ['-1h', -3_600_000],
    ['+1H', 3_600_000],
    ['PT1H', 3_600_000],
    ['PT1H30M', 5_400_000],
    ['P1DT0.5S', 86_400_500],
    ['P2W', 1_209_600_000],
    ['-PT1M', -60_000],
    [1500, 1500],
    [1.4, 1],
    [0, 0],
  ])('%j is %d ms', (text, milliseconds) => {
    expect(readDuration(text)).toBe(milliseconds)
  })

  it.each([
    ['an empty string', ''],
    ['a number in quotes, whose unit nobody knows', '3600'],
    ['an unknown unit', '1y'],
    ['words', 'one hour'],
    ['a sign alone', '-'],
    ['an empty ISO duration', 'P'],
    ['an ISO duration that ends with T', 'P1DT'],
    ['months, which have no fixed length', 'P1M'],
    ['nothing', undefined],
    ['null', null],
    ['a list', ['1h']],
    ['what is not finite', Number.POSITIVE_INFINITY],
  ])('is not %s', (_, text) => {
    expect(() => readDuration(text)).toThrow(ClockError)
    expect(() => readDuration(text)).toThrow(/is not a duration. Write "1h"/)
  })
})

describe('an alarm', () => {
  it('goes off once, when the clock shows its time, however it gets there', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0) })
    const clock = new Clock()
    const acts: string[] = []
    const at = (after: number, name: string) => clock.at(Date.UTC(2026, 0) + after, () => acts.push(name))
    at(0, 'now')
    at(1000, 'in time')
    at(3_600_000, 'turned on')
    at(40 * 86_400_000, 'after longer than a timer waits')
    at(7_200_000, 'called off')()
    expect(acts).toEqual(['now'])
    vi.advanceTimersByTime(1000)
    expect(acts.splice(0)).toEqual(['now', 'in time'])
    clock.freeze()
    vi.advanceTimersByTime(3_600_000)
    expect(acts).toEqual([])
    clock.advance('1h')
    expect(acts.splice(0)).toEqual(['turned on'])
    clock.set({ now: Date.UTC(2026, 0) })
    vi.advanceTimersByTime(39 * 86_400_000)
    expect(acts).toEqual([])
    vi.advanceTimersByTime(86_400_000)
    expect(acts).toEqual(['after longer than a timer waits'])
  })
})

describe('a time', () => {
  it.each([
    ['2027-01-01T00:00:00Z', YEAR_2027],
    ['2027-01-01T00:00:00.250Z', YEAR_2027 + 250],
    ['2027-01-01T01:00+01:00', YEAR_2027],
    ['2027-01-01', YEAR_2027],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    [YEAR_2027, YEAR_2027],
    [new Date(YEAR_2027), YEAR_2027],
  ])('can be written as %s', (time, milliseconds) => {
    expect(readTime(time)).toBe(milliseconds)
  })

  it.each([
    ['without its zone', '2027-01-01T00:00:00'],
    ['in a month that does not exist', '2027-13-01T00:00:00Z'],
    ['on a day that does not exist', '2027-02-29T00:00:00Z'],
    ['on a day that does not exist, without a time', '2027-04-31'],
    ['at an hour that does not exist', '2027-04-30T25:00:00Z'],
    ['in words', 'tomorrow'],
    ['of another kind', { year: 2027 }],
    ['that is no date', new Date(Number.NaN)],
  ])('is not one %s', (_, time) => {
    expect(() => readTime(time)).toThrow(/is not a time. Write it with its time zone/)
  })
})

describe('the clock', () => {
  it("shows the system's time until it is set, and again once it is reset", () => {
    stopTime()
    const clock = new Clock()
    expect(clock.face).toEqual({
      now: '2026-01-01T00:00:00.000Z',
      frozen: false,
      real: '2026-01-01T00:00:00.000Z',
      offset: 0,
    })
    clock.set({ now: '2027-01-01T00:00:00Z' })
    expect(clock.isReal).toBe(false)
    clock.reset()
    vi.advanceTimersByTime(10)
    expect(clock.iso()).toBe('2026-01-01T00:00:00.010Z')
    expect(clock.isReal).toBe(true)
  })

  it('goes on from where it was set, whatever happens to the clock of the system', () => {
    stopTime()
    const clock = new Clock()
    clock.set({ now: '2027-01-01T00:00:00Z' })
    vi.advanceTimersByTime(1500)
    vi.setSystemTime(0)
    expect(clock.iso()).toBe('2027-01-01T00:00:01.500Z')
    expect(clock.face.offset).toBe(YEAR_2027 + 1500)
  })

  it('stands still when frozen, even when it is advanced', () => {
    stopTime()
    const clock = new Clock()
    clock.freeze()
    vi.advanceTimersByTime(1000)
    expect(clock.iso()).toBe('2026-01-01T00:00:00.000Z')
    clock.advance('1h')
    vi.advanceTimersByTime(1000)
    expect(clock.face).toMatchObject({ now: '2026-01-01T01:00:00.000Z', frozen: true })
    clock.set({ frozen: false })
    vi.advanceTimersByTime(1000)
    expect(clock.iso()).toBe('2026-01-01T01:00:01.000Z')
  })

  it('measures windows that a step forward shortens and a step back ends', () => {
    stopTime()
    const clock = new Clock()
    const start = clock.steady()
    vi.advanceTimersByTime(10)
    clock.advance('1m')
    expect(clock.steady() - start).toBe(60_010)
    vi.setSystemTime(0)
    expect(clock.steady() - start).toBe(60_010)
    clock.freeze()
    vi.advanceTimersByTime(10)
    expect(clock.steady() - start).toBe(60_010)
    expect(clock.stepsBack).toBe(0)
    clock.advance('-1s')
    expect(clock.steady() - start).toBe(60_010)
    expect(clock.stepsBack).toBe(1)
  })

  it.each<[string, (clock: Clock) => void]>([
    ['freezes', (clock) => clock.freeze()],
    ['is set to where it is', (clock) => clock.set({ frozen: true })],
    ['is advanced by nothing', (clock) => clock.advance(0)],
    ['is reset without having been set', (clock) => clock.reset()],
  ])('is not set back when it %s, though time passes meanwhile', (_, act) => {
    let time = YEAR_2027
    const ticking = vi.spyOn(Date, 'now').mockImplementation(() => time++)
    onTestFinished(() => ticking.mockRestore())
    const clock = new Clock()
    act(clock)
    expect(clock.stepsBack).toBe(0)
  })

  it('is set back by a reset if it was ahead', () => {
    const clock = new Clock()
    clock.advance('1h')
    clock.reset()
    expect(clock.stepsBack).toBe(1)
  })

  it.each([
    ['before 1970', (clock: Clock) => clock.set({ now: -1 })],
    ['after 9999', (clock: Clock) => clock.advance(9e15)],
  ])('shows no time %s, and stays as it was', (_, act) => {
    const clock = new Clock()
    expect(() => act(clock)).toThrow('The clock shows times from 1970 to 9999')
    expect(clock.isReal).toBe(true)
  })
})
