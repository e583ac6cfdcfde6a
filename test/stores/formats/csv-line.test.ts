import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameJson } from '../../../src/core/kernel/json/values.ts'
import { csv } from '../../../src/stores/formats/csv.ts'
import { csvLine } from '../../../src/stores/formats/csv-fields.ts'
import { runs } from '../../support/length.ts'

const text = fc.constantFrom('x', '', '5', 'true', '[1]', 'a,b', 'two\nlines', ' y', '"q"', 'é', '\ud800')
const cell = fc.oneof(
  fc.constantFrom('x', 'a,b', 'two\nlines', 5, true, null),

  text,
  fc.integer({ min: -9, max: 999 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant([1]),
)
const row = fc.record(
  { a: cell, b: cell, c: fc.record({ d: cell }), constructor: cell },
  { requiredKeys: [] },
)

it('an appended line is read as its row, and changes no other', () => {
  let appended = 0
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.constantFrom('x', '', '""', '5', '"5"', 'true', '"[1]"', '"y"'), {
          minLength: 4,
          maxLength: 4,
        }),
        { maxLength: 3 },
      ),
      fc.constantFrom('a,b,c.d,constructor', '"a","b","c.d","constructor"'),
      row,
      (lines, head, added) => {
        const before = `${[head, ...lines.map((cells) => cells.join(','))].join('\n')}\n`
        const { value, lineStyle } = csv.read(before)
        const line = lineStyle && csvLine(added, lineStyle)
        if (line === undefined || !Array.isArray(value)) return
        appended++
        const rows = csv.read(`${before}${line}\n`).value
        const [last, ...others] = Array.isArray(rows) ? rows.toReversed() : []
        expect(others.toReversed()).toEqual(value)
        expect(isSameJson(leaves(last), leaves(added)), `${before}${line}`).toBe(true)
      },
    ),
    runs(300),
  )
  expect(appended).toBeGreaterThan(20)
})

/** A cell without a value is null, whether the row has the field or not. */
function leaves(value: object, path = ''): Record<string, unknown> {
  const entries = Object.entries(value).filter(([, part]) => part !== null)
  return Object.assign(
    {},
    ...entries.map(([name, part]) =>
      typeof part === 'object' && !Array.isArray(part)
        ? leaves(part, `${path}${name}.`)
        : { [path + name]: part },
    ),
  )
}

it.each<[string, string, object, string | undefined]>([
  ['fits', 'id,name,on\n1,Ada,true\n', { id: 2, name: 'Eve, B.' }, '2,"Eve, B.",'],
  ['has everything in quotes', '"id","name"\n"1","Ada"\n', { id: 2, name: 'Eve' }, '"2","Eve"'],
  ['has texts in quotes', 'id,name\n1,"Ada"\n', { id: 2, name: '7' }, '2,"7"'],
  ['is in semicolons', 'id;name\r\n1;Ada\r\n', { id: 2, name: 'a;b' }, '2;"a;b"'],
  ['has a new field', 'id,name\n1,Ada\n', { id: 2, name: 'Eve', age: 3 }, undefined],
  ['has a field of another kind', 'id,name\n1,Ada\n', { id: 'x', name: 'Eve' }, undefined],
  ['could be read as another', 'id,name\n1,\n', { id: 2, name: '7' }, undefined],
  ['has half a character', 'id,name\n1,Ada\n', { id: 2, name: '\ud800' }, undefined],
])('a row is a line of its own only if no other has to change: it %s', (_, before, added, line) => {
  const { lineStyle } = csv.read(before)
  expect(lineStyle && csvLine(added, lineStyle)).toBe(line)
})

it('rows that a crash cut short while they were appended are left out', () => {
  const text = 'id,name\n1,Ada\n'
  const cut = `${text}\0,Ev`
  expect(csv.read(cut)).toMatchObject({ value: [{ id: 1, name: 'Ada' }], wholeUpTo: text.length })
  expect(csv.write([{ id: 1, name: 'Bob' }], cut)).toBe('id,name\n1,Bob\n')
})
