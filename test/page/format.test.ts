import { expect, it } from 'vitest'
import { countRows, formatDate, formatOffset } from '../../src/page/parts/format.ts'

it.each([
  ['2026-03-01', 'Mar 1, 2026'],
  ['2026-03-01T09:30:00', 'Mar 1, 2026, 9:30 AM'],
  ['2026-03-01 09:30', 'Mar 1, 2026, 9:30 AM'],
  ['2026-13-01', undefined],
  ['2026-03-01x', undefined],
  ['2026', undefined],
  ['2026-03-01T', undefined],
])('shows %s as %s', (text, shown) => {
  expect(formatDate(text, 'en-US')?.replaceAll('\u202f', ' ')).toBe(shown)
})

it('shows a moment in the time zone of its reader', () => {
  const date = new Date('2026-03-01T09:30:00.000Z')
  const here = date.toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' })
  expect(formatDate('2026-03-01T09:30:00.000Z', 'de')).toBe(here)
})

it.each([
  ['tickets', 1, '1 ticket'],
  ['tickets', 1200, '1,200 tickets'],
  ['order_items', 2, '2 order items'],
])('counts %s %i as %s', (resource, count, text) => {
  expect(countRows(resource, count)).toBe(text)
})

it.each([
  [3_600_000, '+1 h'],
  [3_599_999, '+1 h'],
  [-3_600_001, '−1 h'],
  [5_400_000, '+1 h 30 min'],
  [59_700, '+1 min'],
])('says of a clock that is %d ms ahead: %s', (ms, shown) => {
  expect(formatOffset(ms)).toBe(shown)
})
