import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = new URL('../../../../src/', import.meta.url).pathname

/** Those that ask the system itself, each with its reason. Everything else asks a Clock. */
const MAY_ASK: Readonly<Record<string, string>> = {
  'core/kernel/util/clock.ts': 'it is the one to ask',
  'features/https/certificate.ts': 'browsers judge certificates by the real time',
  'serve/service/open-service.ts':
    'versions begin at the real time, so that they grow whatever the clock shows',
  'source/open-data.ts': 'only the default, for commands that describe data and change none',
  'features/sessions/sessions.ts': 'sessions live and end in real time, and so do their versions',
  'config/resources/open-resources.ts': 'only the default, for router(), which has no clock',
  'core/engine/current-data.ts': 'versions begin at the real time, likewise; and only the default of a clock',
  'core/kernel/util/pace.ts': 'how long work holds the event loop, in real time',
  'stores/postgres/open-schema.ts': 'versions begin at the real time, likewise',
  'stores/postgres/transfer.ts': 'an import has no clock',
  'stores/file/overwrite-file.ts': 'times of files',
  'stores/file/appended-lines.ts': 'times of files, likewise',
  'stores/file/stored-file.ts': 'times of files, likewise',
  'stores/file/file-lock.ts': 'locks are held against other processes, in real time',
  'stores/file/temp-files.ts': 'times of files: other programs compare them with the real time',
}

/** Asks what time it is. `new Date(value)` only writes a time down in another way. */
const ASKS = /\bDate\.now\b|\bnew Date(?:\(\s*\)|(?!\s*\())|(?<![.\w]|new )Date\(\)/

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.[cm]?tsx?$/.test(file))

function asksItself(source: string): boolean {
  return ASKS.test(source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, ''))
}

describe('the time', () => {
  it.each([
    ['const now = Date.now()', true],
    ['clock: () => number = Date.now', true],
    ['const now = new Date()', true],
    ['const now = new Date( )', true],
    ['const now = new Date', true],
    ['const now = Date()', true],
    ['new Date(row.time).toISOString()', false],
    ['Date.parse(text)', false],
    ['time instanceof Date', false],
    ['// Date.now() would do', false],
    ['/** `Date.now()` */', false],
  ])('is asked for in %j: %s', (source, isAsked) => {
    expect(asksItself(source)).toBe(isAsked)
  })

  it('is asked of the clock, except where only real time makes sense', () => {
    const askers = files.filter((file) => asksItself(readFileSync(join(SRC, file), 'utf8')))
    expect(askers.toSorted()).toEqual(Object.keys(MAY_ASK).toSorted())
  })
})
