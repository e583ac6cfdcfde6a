import { describe, expect, it } from 'vitest'
import { parseEntityTags } from '../../src/http/headers.ts'

const TAG = 'W/"1f-aB+/3"'

describe('If-Match and If-None-Match name a tag', () => {
  it.each([
    ['W/"1f-aB+/3"', true],
    ['"1f-aB+/3"', true],
    ['1f-aB+/3', true],
    ['W/1f-aB+/3', true],
    ['"a", W/"1f-aB+/3" ,"b"', true],
    ['"a,b","1f-aB+/3"', true],
    ['"1F-AB+/3"', false],
    ['w/"1f-aB+/3"', false],
    ['"a"', false],
    ['', false],
    ['"', false],
    ['"1f-aB+/3', false],
    [',,,', false],
    ['*', false],
  ])('%s: %s', (header, isNamed) => {
    expect(parseEntityTags(header)?.has(TAG)).toBe(isNamed)
  })

  it.each([
    ['*', true],
    [' * ', true],
    ['"*"', false],
    ['*, "a"', false],
    ['', false],
  ])('or any, as in %j: %s', (header, isAny) => {
    expect(parseEntityTags(header)?.isAny).toBe(isAny)
  })

  it('or are not there', () => {
    expect(parseEntityTags(undefined)).toBeUndefined()
  })
})
