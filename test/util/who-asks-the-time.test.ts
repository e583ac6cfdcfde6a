import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = new URL('../../src/', import.meta.url).pathname

/** Those that ask the system itself, each with its reason. Everything else asks a Clock. */
const MAY_ASK: Readonly<Record<string, string>> = {
  'util/clock.ts': 'it is the one to ask',
  'app/server/certificate.ts': 'browsers judge certificates by the real time',
  'app/service/open-service.ts':
    'versions begin at the real time, so that they grow whatever the clock shows',
  'app/source/open-data.ts': 'only the default, for commands that describe data and change none',
  'app/service/sessions.ts': 'sessions live and end in real time, and so do their versions',
  'resources/open-resources.ts': 'only the default, for router(), which has no clock',
  'storage/engine/current-data.ts':
    'versions begin at the real time, likewise; and only the default of a clock',
  'util/pace.ts': 'how long work holds the event loop, in real time',
  'storage/postgres/open-schema.ts': 'versions begin at the real time, likewise',
  'storage/postgres/transfer.ts': 'an import has no clock',
  'storage/file/overwrite-file.ts': 'times of files',
  'storage/file/appended-lines.ts': 'times of files, likewise',
  'storage/file/stored-file.ts': 'times of files, likewise',
  'storage/file/file-lock.ts': 'locks are held against other processes, in real time',
  'storage/file/temp-files.ts': 'times of files: other programs compare them with the real time',
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
