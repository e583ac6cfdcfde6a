import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../../src/core/kernel/catalogue/errors.ts'
import { codesIn } from '../../../support/docs/markdown.ts'
import { pageAt, rowsWith } from '../../../support/page/pages.ts'

const CODES = Object.keys(ERRORS)

/** Statuses and codes, as the docs list them. */
const listed = rowsWith('`code`', pageAt('docs/errors.md')).flatMap(([status = '', cell]) =>
  codesIn(cell).map((code) => ({ status, code })),
)

/** What the docs say and no row of the catalogue does. */
const BESIDES = [
  { status: '415', code: 'INVALID_BODY' },
  { status: 'any', code: 'SIMULATED' },
  // Its name comes from its status.
  { status: '4xx', code: 'FORBIDDEN' },
]

/** Every file of the server, without the catalogue and its description. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(
    (file) =>
      file.endsWith('.ts') && !/^(?:core\/kernel\/catalogue|schema|features\/describe|page)\//.test(file),
  )
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n')

describe('the catalogue of errors', () => {
  it.each(CODES)('has nothing that is not sent: %s', (code) => {
    expect(sources).toContain(`'${code}'`)
  })

  it('has everything that is sent', () => {
    const sent = sources.matchAll(/(?:\bcode: |Error\(\s*(?:res,\s*)?|refus\w+\([^)]*?)'([A-Z]+_[A-Z_]+)'/g)
    const codes = new Set([...sent].map(([, code = '']) => code))
    expect(codes.size).toBeGreaterThan(30)
    expect([...codes].filter((code) => !CODES.includes(code))).toEqual([])
  })

  it.each(Object.entries(ERRORS))('is what the docs say: %s', (code, [status]) => {
    const statuses = listed.filter((one) => one.code === code).map((one) => one.status)
    expect(code === 'SIMULATED' ? 'any' : String(status)).toBeOneOf(statuses)
  })

  it('has all that the docs list, under the same status', () => {
    const isKnown = ({ status, code }: (typeof listed)[number]) =>
      CODES.includes(code) && String(ERRORS[code as ErrorCode][0]) === status
    expect(listed.filter((one) => !isKnown(one))).toEqual(expect.arrayContaining(BESIDES))
    expect(listed.filter((one) => !isKnown(one))).toHaveLength(BESIDES.length)
  })
})
