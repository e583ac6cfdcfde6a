import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseInPieces } from '../../../../src/core/kernel/json/parse-in-pieces.ts'
import { attempt } from '../../../../src/core/kernel/util/attempt.ts'
import { TimeSlice } from '../../../../src/core/kernel/util/pace.ts'

const long = 'x'.repeat(40_000)

it('is JSON.parse, also of long texts, and of those that are not valid', async () => {
  const part = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.constantFrom(
      '',
      ' ',
      '1',
      '"a,]}\\""',
      `"${long}"`,
      `[${'1,'.repeat(40_000)}2]`,
      `{"${long}":1, "b" : [ "${long}" ] }`,
    ),
  )
  const separator = fc.constantFrom(',', ',', ',', ' , ', ',,', ']', '}', '')
  const key = fc.constantFrom('"a":', '"b" : ', '"__proto__":', '"1":', `"${long}":`, '', 'x')
  const text = fc
    .tuple(
      fc.array(fc.tuple(key, part, separator), { maxLength: 6 }),
      fc.constantFrom('[]', '{}', '[}', '{]', '[] '),
    )
    .map(([members, brackets]) => {
      const isList = brackets.startsWith('[')
      const inner = members.map(
        ([name, value, by], at) => `${isList ? '' : name}${value}${at < members.length - 1 ? by : ''}`,
      )
      return `${brackets[0]}${inner.join('')}${brackets.slice(1)}`
    })
  await fc.assert(
    fc.asyncProperty(text, async (json) => {
      const expected = attempt(() => ({ value: JSON.parse(json) }))
      const parsed = await parseInPieces(json, new TimeSlice()).then(
        (value) => ({ value }),
        () => undefined,
      )
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(expected))
    }),
    { numRuns: 300 },
  )
})
