import fc from 'fast-check'
import _ from 'lodash'
import { describe, expect, it } from 'vitest'
import { compilePath, hasPath, somePath } from '../../../../src/core/engine/query/path.ts'
import { runs } from '../../../support/length.ts'

const leaf = fc.constantFrom<unknown>('a', 'ab', '', 1, 0, true, null, 'b')
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.record({ c: tie('node'), '1': leaf }, { requiredKeys: [], noNullPrototype: true }),
    // A long list, with what counts at its end.
    tie('node').map((last) => [...Array.from({ length: 1100 }, () => ({ d: 1 })), last]),
  ),
}))
const row = fc.record({ a: node, 'a.c': leaf }, { requiredKeys: ['a'], noNullPrototype: true })
const path = fc.constantFrom('a', 'a.c', 'a.c.c', 'a.1', 'a.c.1', 'a.0.c', 'a.length', 'a.c.length', 'a[1].c')

/** The rules in the plainest words: all values at the path, lists gone through wherever they lack the step. */
function valuesAt(row: object, text: string): unknown[] {
  if (_.get({ ...row }, [text]) !== undefined) return [_.get(row, [text])]
  return follow(row, _.toPath(text), false)
}

function follow(value: unknown, steps: readonly string[], isInList: boolean): unknown[] {
  const [step, ...others] = steps
  if (step === undefined) return [value]
  if (isInList && typeof value !== 'object') return []
  if (Object.hasOwn(Object(value), step)) return follow(_.get(value, [step]), others, isInList)
  return Array.isArray(value) ? value.flatMap((item) => follow(item, steps, true)) : []
}

describe('a path through lists', () => {
  it('leads to what the plainest rules lead to, however long the lists are', () => {
    fc.assert(
      fc.property(row, path, fc.constantFrom('a', 'b', '1', '2'), (item, text, wanted) => {
        const compiled = compilePath(text)
        const isWanted = (value: unknown) => String(value) === wanted
        const there = valuesAt(item, text).filter((value) => value !== null && value !== undefined)
        expect(somePath(item, compiled, isWanted)).toBe(there.some(isWanted))
        expect(hasPath(item, compiled)).toBe(
          Object.hasOwn(item, text) || follow(item, _.toPath(text), false).length > 0,
        )
      }),
      runs(300),
    )
  })

  it.each<[string, unknown, boolean, has?: boolean]>([
    ['a string in a list', { tags: ['ab'] }, false],
    ['a string in a list of lists', { tags: [['ab', 'x', ['ab']]] }, false, true],
    ['a string of an object in a list', { tags: [{ '1': 'b' }] }, true],
    ['a list in a list', { tags: [['a', 'b']] }, true],
    ['the list itself', { tags: ['a', 'b'] }, true],
    ['a string that is in no list, as with lodash', { tags: 'ab' }, true],
  ])('tags.1=b and %s', (_name, item, isFound, has = isFound) => {
    const found = somePath(item, compilePath('tags.1'), (value) => value === 'b')
    expect(found).toBe(isFound)
    expect(hasPath(item, compilePath('tags.1'))).toBe(has)
  })
})
