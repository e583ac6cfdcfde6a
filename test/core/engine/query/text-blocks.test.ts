import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Leaf } from '../../../../src/core/engine/data/tree-nodes.ts'
import { findInBlock, findPhrase, textsOf } from '../../../../src/core/engine/query/text-blocks.ts'
import { runs } from '../../../support/length.ts'

function phraseFor(text: string) {
  const phrase = findPhrase([], text)
  if (!phrase) throw new Error(`No phrase: ${text}`)
  return phrase
}

function leafOf(texts: readonly string[]): Leaf {
  return new Leaf(
    texts.map((text) => ({ text })),
    texts.map((_, at) => at),
  )
}

function blockOf(texts: readonly string[]) {
  const block = textsOf(leafOf(texts), phraseFor('any'))
  if (!block) throw new Error('The rows are too long')
  return block
}

describe('texts of a leaf', () => {
  it('find the rows that contain the phrase, whatever they have in common', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'Z', ' ', 'ß', 'σ'), maxLength: 40 })
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 64 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'z', ' ', 'ß'), minLength: 1, maxLength: 8 }),
        (texts, phrase) => {
          const expected = texts.flatMap((one, at) => (one.toLowerCase().includes(phrase) ? [at] : []))
          expect(findInBlock(blockOf(texts), phraseFor(phrase))).toEqual(expected)
        },
      ),
      runs(300),
    )
  })

  it('are not searched for a phrase whose letters no row has', () => {
    const rows = Array.from({ length: 64 }, (_, at) => `the quick brown fox jumps over the lazy dog ${at}`)
    const block = blockOf(rows)
    let searches = 0
    const texts = new Proxy(block.texts, {
      get: (target, name) => {
        searches++
        return Reflect.get(target, name)
      },
    })
    const find = (text: string) => findInBlock({ ...block, texts }, phraseFor(text))
    for (let at = 0; at < 100; at++) expect(find(`word${at * 7919}`)).toEqual([])
    expect(searches).toBeLessThan(640)
    expect(find('dog 63')).toEqual([63])
  })
})
