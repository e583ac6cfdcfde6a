import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EqualityIndex } from '../../../src/storage/index/equality-index.ts'
import { SortedIndex } from '../../../src/storage/index/sorted-index.ts'
import { TableIndexes } from '../../../src/storage/index/table-indexes.ts'
import type { Row } from '../../../src/storage/types.ts'
import { fields } from '../../support/model/random-table.ts'

const PATHS = ['number', 'text', 'flag', 'gaps', 'notes', 'nested.n', 'places.c', 'rare']

const change = fc.record({
  kind: fc.constantFrom('add', 'replace', 'remove'),
  at: fc.nat(),
  // Now and then one that fits into no index, and cannot even be compared.
  row: fc.oneof(
    { weight: 9, arbitrary: fields },
    fc.constant({ text: { toString: 1 }, number: { valueOf: 1 } }),
  ),
  /** How often the one who reads the column has its turn before. */
  turns: fc.nat({ max: 4 }),
})

class Sheet {
  readonly rows: Row[]
  readonly indexes: TableIndexes

  constructor(rows: readonly Row[]) {
    this.rows = rows.slice()
    this.indexes = new TableIndexes(this.rows)
  }

  /** Never made at once. */
  equality(path: string): ReturnType<TableIndexes['equality']> {
    return this.indexes.equality(path, 0)
  }

  sorted(path: string): ReturnType<TableIndexes['sorted']> {
    return this.indexes.sorted(path, 0)
  }

  apply({ kind, at, row }: { kind: string; at: number; row: Row }): void {
    const position = at % Math.max(1, this.rows.length)
    const old = this.rows[position]
    if (kind === 'add' || !old) {
      this.rows.push(row)
      this.indexes.noteAddition(row)
    } else if (kind === 'replace') {
      this.indexes.noteReplacement(position, old, row)
      this.rows[position] = row
    } else {
      this.indexes.noteRemoval(position, old)
      this.rows.splice(position, 1)
    }
  }
}

/** What there is to be known of a column, read through its indexes; undefined where it has none. */
async function knowledgeOf(sheet: Sheet, path: string) {
  const { indexes } = sheet
  await sheet.equality(path)
  await sheet.sorted(path)
  const [equality, sorted] = [sheet.equality(path), sheet.sorted(path)]
  if (equality instanceof Promise || sorted instanceof Promise) throw new Error('not ready when it said so')
  const rowsAt = (ranks: ArrayLike<number>) => Array.from(ranks, (rank) => indexes.order.slots[rank])
  const texts = [
    '',
    'a',
    'A',
    'ab',
    '1',
    '2',
    '2.5',
    'true',
    'false',
    '-1',
    '10',
    '1,2',
    'a,b',
    '[object Object]',
  ]
  return {
    equal: equality && texts.map((text) => rowsAt(equality.ranksOf([text]) ?? [])),
    hasOwners: equality?.hasOwners,
    crowded: equality?.crowded,
    sorted: sorted && rowsAt(sorted.ranksIn(sorted.whole)),
    above: sorted?.within([{ op: 'gte', values: ['2'] }]),
  }
}

describe('an index that is made while rows change', () => {
  it('is the one that is made of them afterwards, or none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { maxLength: 40 }),
        fc.constantFrom(...PATHS),
        fc.array(change, { maxLength: 12 }),
        async (rows, path, changes) => {
          const sheet = new Sheet(rows)
          const coming = [sheet.equality(path), sheet.sorted(path)]
          for (const next of changes) {
            for (let n = 0; n < next.turns; n++) await turn()
            sheet.apply(next)
          }
          await Promise.all(coming)
          const grown = await knowledgeOf(sheet, path)
          const fresh = await knowledgeOf(new Sheet(sheet.rows), path)
          if (grown.equal) {
            expect([grown.equal, grown.hasOwners, grown.crowded]).toEqual([
              fresh.equal,
              fresh.hasOwners,
              fresh.crowded,
            ])
          }
          if (grown.sorted) expect(grown.sorted).toEqual(fresh.sorted)
          if (grown.above && fresh.above) expect(grown.above).toEqual(fresh.above)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('knows of all that changed', async () => {
    const sheet = new Sheet([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }])
    const coming = [sheet.equality('a'), sheet.sorted('a')]
    sheet.apply({ kind: 'replace', at: 0, row: { a: 5 } })
    sheet.apply({ kind: 'remove', at: 1, row: {} })
    sheet.apply({ kind: 'add', at: 0, row: { a: 3 } })
    await Promise.all(coming)
    const { equal, sorted } = await knowledgeOf(sheet, 'a')
    expect(sorted).toEqual([{ a: 3 }, { a: 3 }, { a: 4 }, { a: 5 }])
    expect(equal?.flat()).toEqual([])
    expect(sheet.equality('a')).toBeInstanceOf(EqualityIndex)
  })

  it('is asked for by many and made once', async () => {
    const sheet = new Sheet([{ a: 1 }, { a: 2 }])
    const first = sheet.sorted('a')
    expect(first).toBeInstanceOf(Promise)
    expect(sheet.sorted('a')).toBe(first)
    await first
    expect(sheet.sorted('a')).toBeInstanceOf(SortedIndex)
  })

  it('that cannot be made is tried again', async () => {
    const row = {
      get a(): unknown {
        throw new Error('no')
      },
    }
    const sheet = new Sheet([...Array.from({ length: 600 }, (_, a) => ({ a })), row])
    await expect(sheet.sorted('a')).rejects.toThrow('no')
    sheet.apply({ kind: 'remove', at: 600, row: {} })
    await sheet.sorted('a')
    expect(sheet.sorted('a')).toBeInstanceOf(SortedIndex)
  })
})

describe('an index of texts', () => {
  async function indexOf(rows: readonly Row[], path: string): Promise<EqualityIndex> {
    const sheet = new Sheet(rows)
    await sheet.equality(path)
    const index = sheet.equality(path)
    if (!(index instanceof EqualityIndex)) throw new Error('no index')
    return index
  }

  it.each<[string, unknown, string]>([
    ['a list', [1, 2], '1,2'],
    ['an object', { a: 1 }, '[object Object]'],
    ['a list of lists', [[1], [2, 3]], '1,2,3'],
    ['what has no text', { toString: 1 }, ''],
    ['a number', -0, '0'],
  ])('finds %s by the text that filters compare', async (_name, value, text) => {
    const index = await indexOf([{ key: 'x' }, { key: value }, { key: null }, {}], 'key')
    expect(index.ranksOf([text])).toEqual([1])
    expect(index.ranksOf([text, 'x'])).toEqual([0, 1])
    expect(index.crowded).toBe(0)
  })

  it('has rows with too many values looked at, whatever is asked for', async () => {
    const many = Array.from({ length: 300 }, (_none, n) => ({ c: n }))
    const endless = Array.from({ length: 3000 }, () => ({ d: 1 }))
    const index = await indexOf([{ a: [{ c: 'x' }] }, { a: many }, { a: endless }], 'a.c')
    expect(index.ranksOf(['x'])).toEqual([0, 1, 2])
    expect(index.crowded).toBe(2)
    expect((await indexOf([{ a: endless }], 'a.c')).hasOwners).toBeUndefined()
  })

  it('says so where a text is too long to have a place in it', async () => {
    const index = await indexOf([{ key: 'x' }], 'key')
    expect(index.ranksOf(['x'.repeat(20_000)])).toBeUndefined()
    expect(index.ranksOf([','.repeat(1500)])).toBeUndefined()
  })
})
