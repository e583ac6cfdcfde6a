import { describe, expect, it } from 'vitest'
import { type Format, formatOf } from '../../../src/wings/schemas/formats.ts'
import { cpuTime } from '../../support/cpu-time.ts'

describe('the format of a string', () => {
  it.each<[Format, string]>([
    ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
    ['uuid', '123E4567-E89B-12D3-A456-426614174000'],
    ['date-time', '2026-02-28T23:59:59Z'],
    ['date-time', '2026-02-28T23:59:59.123456Z'],
    ['date-time', '2026-02-28T23:59:59+05:30'],
    ['date', '2024-02-29'],
    ['date', '2000-02-29'],
    ['email', 'ada@example.com'],
    ['email', "o'neil+news@mail.example.co.uk"],
    ['uri', 'https://example.com'],
    ['uri', 'https://example.com:8080/a/b%20c?d=e&f[]=1#g'.replace('[]', '')],
    ['uri', 'ftp://files.example.com/x'],
  ])('is %s for %s', (format, text) => {
    expect(formatOf(text)).toBe(format)
  })

  it.each([
    ['nothing', ''],
    ['a sentence', 'hello world'],
    ['a day that no month has', '2026-02-30'],
    ['a leap day without a leap year', '1900-02-29'],
    ['a month that no year has', '2026-13-01'],
    ['a time without a zone', '2026-02-28T23:59:59'],
    ['an hour that no day has', '2026-02-28T24:00:00Z'],
    ['a date with something behind it', '2026-02-28 '],
    ['an address without a domain', 'root@localhost'],
    ['an address with a space', 'ada lovelace@example.com'],
    ['an address with an empty label', 'ada@example..com'],
    ['an address with dashes at an end', 'ada@-example.com'],
    ['a label and a text', 'Size:XL'],
    ['a link with a space', 'https://example.com/a b'],
    ['a link with letters that have to be escaped', 'https://example.com/ä'],
    ['a link with two fragments', 'https://example.com/#a#b'],
    ['a broken escape', 'https://example.com/%zz'],
    ['a short uuid', '123e4567-e89b-12d3-a456-42661417400'],
    ['a very long link', `https://example.com/${'a'.repeat(2000)}`],
  ])('is none for %s', (_, text) => {
    expect(formatOf(text)).toBeUndefined()
  })

  it.each([
    ['an address', `${'a.'.repeat(990)}@`],
    ['a domain', `a@${'a-'.repeat(990)}`],
    ['a link', `https://${'a.'.repeat(990)}`],
    ['a path', `https://a/${'%20'.repeat(600)}"`],
  ])('is found quickly for %s that goes on and on', (_, text) => {
    const start = cpuTime()
    for (let turn = 0; turn < 100; turn++) formatOf(text)
    expect(cpuTime() - start).toBeLessThan(1000)
  })
})
